"""Commands for tagged text; what is heavy is imported inside them."""

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.output_options import with_outputs
from likelier.cli.outputs import Outputs


@with_outputs()
def chunks(
    files: data.TaggedFiles,
    *,
    scheme: data.Scheme = None,
    metric: setting.MetricName = "f1",
    systems: data.Systems = None,
    strict: data.Strict = False,
    boundaries: data.Boundaries = False,
    only: data.Only = None,
    documents: data.Documents = False,
    segmented: data.Segmented = False,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    each_class: setting.EachClass = False,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    method: setting.Method = "paired",
    prior: setting.Prior = None,
    strength: setting.Strength = 1.0,
    factor: setting.Factor = "rope",
    rule: setting.Rule = "hdi-rope",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Compare systems that find chunks: named entities, phrases, words.

    likelier chunks gold.conll a.conll b.conll --scheme iob2
    """
    from likelier.cli import calls, tagged

    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = tagged.Tagged(
        files,
        calls.listed_names(scheme),
        calls.listed_names(systems),
        strict,
        boundaries,
        only,
        documents,
        segmented,
    )
    way = calls.Way(
        method, prior, rule, calls.rope_of(rope), mass, draws, seed, strength, factor
    )
    if each_class:
        outputs.deliver(calls.each_class(source, asked, way))
    else:
        outputs.deliver(calls.compared(source, asked.pooled(), way))


@with_outputs()
def tags(
    files: data.TagFiles,
    *,
    metric: setting.TagMetric = "token_accuracy",
    column: data.TagColumn = None,
    gold: data.GoldColumn = None,
    systems: data.Systems = None,
    train: data.Train = None,
    vocabulary: data.VocabularyFile = None,
    lowercase: data.Lowercase = False,
    cluster: data.TagCluster = "sentence",
    rope: setting.RopeText = None,
    method: setting.Method = "paired",
    prior: setting.Prior = None,
    strength: setting.Strength = 1.0,
    factor: setting.Factor = "rope",
    rule: setting.Rule = "hdi-rope",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Compare taggers: token, sentence and OOV accuracy.

    likelier tags gold.conllu a.conllu b.conllu --train train.conllu
    --metric token,sentence,oov
    """
    from likelier.cli import calls
    from likelier.cli import tags as tagging

    source = tagging.Tags(
        files,
        column,
        gold,
        calls.listed_names(systems),
        train,
        vocabulary,
        lowercase,
        cluster,
    )
    outputs.check(source.inputs)
    way = calls.Way(
        method, prior, rule, calls.rope_of(rope), mass, draws, seed, strength, factor
    )
    outputs.deliver(tagging.tested(source, tagging.metric_names(metric), way))
