/**
 * Attention on plain arrays, for the numbers that a reader changes in the page.
 *
 *     attend(Q, K, V) = softmax(Q Kᵀ · scale / temperature) V
 *
 * A vector is an array of numbers, a matrix an array of rows. Nothing here touches the page, and no
 * argument is changed. `qkvdocs.attention` computes the same in NumPy; a test holds the two
 * together to 1e-12.
 *
 * Source: Vaswani et al. 2017, Attention Is All You Need, eq. 1.
 */

/**
 * The dot product Σ a_i b_i.
 *
 * @param {number[]} a (d)
 * @param {number[]} b (d)
 * @returns {number}
 * @throws {RangeError} if the lengths differ
 */
export function dot(a, b) {
  requireSame("dot: numbers in b", a.length, b.length, "give both vectors the same width");
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/**
 * The matrix product A B.
 *
 * @param {number[][]} A (n, m)
 * @param {number[][]} B (m, p)
 * @returns {number[][]} (n, p)
 * @throws {RangeError} if a row of A is not as long as B has rows
 */
export function matmul(A, B) {
  const columns = transpose(B);
  return A.map((row) => {
    requireSame("matmul: numbers in a row of A", B.length, row.length, "one for each row of B");
    return columns.map((column) => dot(row, column));
  });
}

/**
 * Weights that are not negative and sum to 1: α_j = exp(e_j / T) / Σ_m exp(e_m / T).
 *
 * A score of -Infinity may not be attended to: its weight is exactly 0, and where all are masked
 * all weights are 0. The largest score is subtracted first, so that exp cannot overflow.
 *
 * @param {number[]} scores (n)
 * @param {number} [temperature] above 0; Infinity shares out evenly, towards 0 the best takes all
 * @returns {number[]} (n)
 * @throws {RangeError} if the temperature is not above 0, or a score is NaN or +Infinity
 */
export function softmax(scores, temperature = 1) {
  if (!(temperature > 0)) {
    throw new RangeError(
      `softmax: wanted a temperature above 0, got ${temperature}; for 0 use argmax`,
    );
  }
  if (scores.some((score) => Number.isNaN(score) || score === Infinity)) {
    throw new RangeError(`softmax: wanted finite scores or -Infinity, got ${scores.join(", ")}; ` +
      "look for the step that made them");
  }
  const top = Math.max(...scores);
  if (top === -Infinity) return scores.map(() => 0);
  const grown = scores.map((score) =>
    score === -Infinity ? 0 : Math.exp((score - top) / temperature),
  );
  const total = grown.reduce((sum, part) => sum + part, 0);
  return grown.map((part) => part / total);
}

/**
 * Look up each query: compare it with all keys, and mix the values by how well they match.
 *
 * @param {number[][]} queries (n_q, d_k)
 * @param {number[][]} keys (n_k, d_k)
 * @param {number[][]} values (n_k, d_v)
 * @param {object} [options]
 * @param {boolean[][]} [options.mask] (n_q, n_k), true = may attend; every pair unless given
 * @param {number} [options.scale] the factor on the dot products; 1/√d_k unless given
 * @param {number} [options.temperature] what softmax divides the scores by
 * @returns {{scores: number[][], weights: number[][], output: number[][]}} (n_q, n_k), with
 *   -Infinity where masked; (n_q, n_k); (n_q, d_v), 0 where every key is masked
 * @throws {RangeError} if sizes don't fit
 */
export function attend(queries, keys, values, { mask, scale, temperature = 1 } = {}) {
  requireSame("attend: values", keys.length, values.length, "give one value for each key");
  const factor = scale ?? 1 / Math.sqrt(keys[0].length);
  const scores = queries.map((query, i) => {
    const row = mask?.[i] ?? keys.map(() => true);
    requireSame("attend: a row of mask", keys.length, row.length, "one for each key");
    return keys.map((key, j) => (row[j] ? dot(query, key) * factor : -Infinity));
  });
  const weights = scores.map((row) => softmax(row, temperature));
  return { scores, weights, output: matmul(weights, values) };
}

/**
 * Where the largest number stands; of equal ones the first, as in NumPy.
 *
 * @param {number[]} numbers (n), at least one
 * @returns {number} from 0
 * @throws {RangeError} if there is none
 */
export function argmax(numbers) {
  if (numbers.length === 0) {
    throw new RangeError("argmax: wanted at least one number, got none; there is no best of nothing");
  }
  return numbers.indexOf(Math.max(...numbers));
}

function transpose(rows) {
  return rows.length === 0 ? [] : rows[0].map((_, column) => rows.map((row) => row[column]));
}

function requireSame(what, wanted, came, advice) {
  if (wanted !== came) throw new RangeError(`${what}: wanted ${wanted}, got ${came}; ${advice}`);
}
