"""The eight documents that can be searched, and the searches that are given.

The titles and tags say what a document is to be found by, the texts say what it has to offer. They
are written so that the two lead to different documents: the text under *Vanishing gradients* never
says "gradients", that of *Optimisers* says it four times and is about something else.
"""

from dataclasses import dataclass

from qkvdocs.languages import Label


@dataclass(frozen=True)
class Document:
    """One document.

    Parameters
    ----------
    title, tags
        what it is found by, its key
    text
        what it hands over, its value
    """

    title: Label
    tags: Label
    text: Label


DOCUMENTS = (
    Document(
        Label(zh="梯度消失", en="Vanishing gradients"),
        Label(zh="梯度、消失、深层网络", en="gradients, vanishing, deep networks"),
        Label(
            zh="误差往回传，每过一层就乘上一个很小的数；传到最前面几层，已经所剩无几。",
            en="On its way back the error is multiplied by a small number at each layer. Little of "
            "it is left for the first layers.",
        ),
    ),
    Document(
        Label(zh="优化器", en="Optimisers"),
        Label(zh="动量、Adam、训练", en="momentum, Adam, training"),
        Label(
            zh="最简单的办法是沿着梯度往下走。动量把前几步的梯度平均起来；Adam 再把梯度除以它的"
            "大小，让很小的梯度也走得动。",
            en="The simplest follows the gradients downhill. Momentum averages gradients over "
            "steps; Adam divides gradients by their size, so that small gradients count too.",
        ),
    ),
    Document(
        Label(zh="梯度裁剪", en="Clipping gradients"),
        Label(zh="梯度、爆炸、训练", en="gradients, explosion, training"),
        Label(
            zh="一步迈得太大，就把它缩短；方向不变。",
            en="A step that is too long is made shorter; its direction stays.",
        ),
    ),
    Document(
        Label(zh="残差连接", en="Residual connections"),
        Label(zh="捷径、深层网络", en="shortcut, deep networks"),
        Label(
            zh="输入绕过一层，直接加到输出上。梯度往回走有了近路，就不容易消失。",
            en="The input goes round a layer and is added to its output. So gradients have a short "
            "way back, which keeps them from vanishing.",
        ),
    ),
    Document(
        Label(zh="学习率", en="Learning rate"),
        Label(zh="步长、训练", en="step size, training"),
        Label(
            zh="每一步走多远。太远会来回跳，太近又走不动。",
            en="How far each step goes. Too far, and it jumps to and fro; not far enough, and it "
            "hardly moves.",
        ),
    ),
    Document(
        Label(zh="过拟合", en="Overfitting"),
        Label(zh="泛化、训练", en="generalisation, training"),
        Label(
            zh="深层网络的参数很多，能把例子死记下来；同样的深层网络遇到新例子就答错。",
            en="Deep networks have many parameters and can learn examples by heart; the same deep "
            "networks then fail on new ones.",
        ),
    ),
    Document(
        Label(zh="注意力机制", en="Attention mechanism"),
        Label(zh="注意力、查询、键、值", en="attention, query, key, value"),
        Label(
            zh="拿问题和所有的书名比，比出来的份额加起来是一；再按份额把内容掺在一起。",
            en="A question is compared with all titles, which gives shares that sum to one; the "
            "contents are mixed by their shares.",
        ),
    ),
    Document(
        Label(zh="怎样读书", en="How to study"),
        Label(zh="考试、休息", en="exams, rest"),
        Label(
            zh="注意力只能撑半个钟头。注意力散了，就起来走走；等注意力回来，再接着读。",
            en="Attention lasts half an hour. When attention fades, get up and walk; when "
            "attention returns, read on.",
        ),
    ),
)

SEARCHES = (
    Label(zh="梯度消失", en="vanishing gradients"),
    Label(zh="深层网络", en="deep networks"),
    Label(zh="注意力", en="attention"),
    Label(zh="火星天气", en="Mars weather"),
)
"""A clear best, a tie, a word with two meanings, and words that no document has."""
