"""Methods paragraphs: every statement comes from the result, and is cited."""

import re
from dataclasses import replace

import pytest
from tests.report.conftest import HOSTILE
from tests.results.every_kind import (
    FAILED,
    HALVES,
    KINDS,
    by_folds,
    compared,
    estimated,
    nulled,
    planned,
    result,
    studied,
)

import likelier as lk
from likelier import Assumed, Outcomes
from likelier._estimate import ESTIMATE_METHODS
from likelier._fold_scores import FOLD_METHODS
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier._version import package_version
from likelier.bayes_factor import FACTORS
from likelier.citations import Sentence, as_bibtex, references
from likelier.decision import RULES
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet_cells import PRIORS
from likelier.methods.items.hierarchical_classes import HierarchicalClasses
from likelier.results import sentences

REFERENCES = references()
by_kind = pytest.mark.parametrize("name", KINDS)
ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ += \{.*\},\n)+)\}\n")
FIELD = re.compile(r"  (\w+) += \{(.*)\},\n")
# What BibTeX wants of each kind of entry.
WANTED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "misc": {"author", "title"},
}


def entries(text):
    """The entries of a bibliography: key -> kind and fields."""
    parts = text.removesuffix("\n").split("\n\n")
    actual = [ENTRY.fullmatch(part + "\n") for part in parts]
    assert all(actual), text
    return {m[2]: (m[1], dict(FIELD.findall(m[3]))) for m in actual}


# --- all kinds ----------------------------------------------------------------


@by_kind
def test_a_paragraph_is_one_line_of_whole_sentences(name):
    text = result(name).paragraph()
    assert text.isprintable()
    assert text[0].isupper()
    assert text.endswith(f"computed with likelier {package_version()}.")
    assert ".." not in text
    assert "  " not in text
    for word in ("None", "nan", "unknown", "{", "}"):
        assert word not in text


@by_kind
def test_what_is_cited_is_in_the_bibliography_and_nothing_else(name):
    text, listed = result(name).paragraph(), entries(result(name).bibtex())
    short = {one.short: key for key, one in REFERENCES.items()}
    cited = {key for name, key in short.items() if name in text}
    assert set(listed) == cited | {"likelier"}
    order = [key for key in REFERENCES if key in cited]
    assert list(listed) == [*order, "likelier"]


@by_kind
def test_no_sentence_occurs_twice(name):
    actual = [str(sentence) for sentence in result(name).sentences()]
    text = result(name).paragraph()
    assert all(text.count(sentence) == 1 for sentence in actual if len(sentence) > 30)


@by_kind
def test_a_rope_or_its_absence_is_named(name):
    actual, text = result(name), result(name).paragraph()
    rope = getattr(actual, "rope", "none")
    if rope == "none":
        return
    assert ("No region of practical equivalence" in text) == (rope is None)
    if rope is not None:
        assert f"{rope}," in text


@by_kind
def test_draws_and_seed_are_named_or_that_nothing_is_random(name):
    actual, text = result(name), result(name).paragraph()
    if actual.kind == "study":
        return  # a result of several parts
    settings = actual.settings
    if settings.draws:
        assert re.search(rf"{settings.draws:,} (independent )?draws", text)
        assert f"seed {settings.seed}" in text
    else:
        assert "without random draws" in text
        # Ranks are drawn, also where the pairs are not.
        assert ("seed" in text) == (getattr(actual, "ranks", None) is not None)


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(t)[1:25] for t in HOSTILE])
def test_names_from_the_data_stay_on_the_line(text):
    settings = {"draws": 50, "seed": 0}
    gold = [text, "n"] * 20
    actual = lk.compare(
        gold, ["n", "n"] * 20, gold, metric="f1", positive=text,
        systems=[text, "b"], rope=0.01, **settings,
    )  # fmt: skip
    answer = actual.paragraph()
    assert answer.isprintable()
    assert actual.settings.system_labels[0] in answer
    assert text not in actual.bibtex() or len(text) == 1


# --- what each kind says ------------------------------------------------------

SAID = {
    "comparison": [
        "the candidate second with the baseline first on F1 (b) over 60 items",
        "The prior has the weight of 2 imaginary items",
        "favours neither",
        "Intervals are 95 % highest-density intervals",
        "Differences within ±0.02",
        "By the rule hdi-rope",
    ],
    "comparison-no-rope": ["excludes 0"],
    "comparison-zhang": ["By the rule zhang", "midpoint"],
    "comparison-regions": ["most probable of worse, equivalent and better", "90 %"],
    "comparison-region-mass": ["whose probability is at least 95 %"],
    "comparison-bayes-test": ["more probable than not"],
    "comparison-strength": ["4 imaginary items"],
    "comparison-prior-uniform": [
        "the 8 patterns of gold label and the two predictions, each b or not",
        "The prior is uniform",
        "all weighed 2 times",
    ],
    "comparison-prior-extremes": ["one like its best and one like its worst"],
    "comparison-prior-bootstrap": ["5 observed patterns", "Bayesian bootstrap"],
    "comparison-clusters": ["60 items in 20 clusters, which are the independent units"],
    "comparison-scores": ["on mean score over 36 items", "3 patterns"],
    "comparison-many-classes": ["on macro F1 over 90 items", "favours neither"],
    "comparison-objective": ["all possible patterns", "The prior is objective"],
    "comparison-unpaired": ["the 4 patterns", "as if the systems had been tested on"],
    "comparison-independent": ["prior of 1 on each", "taken as independent"],
    "comparison-monte-carlo": ["taken as independent"],
    "comparison-rope": [
        "posterior odds of a difference inside the rope over the prior odds",
    ],
    "comparison-point": ["the posterior density at 0 over the prior density"],
    "comparison-kde": ["Gaussian kernel"],
    "bayes-test": [
        "by 3 x 2 cross-validation",
        "counts of the 6 folds, which overlap, were multiplied by 0.36880211",
        "m = 3, rho1 between 0 and 0.5 and rho2 between 0.25 and 0.5",
        "H0, that the candidate is not better, is accepted",
    ],
    "bayes-test-margin": [
        "not better by more than 0.01",
        "multiplied by 0.16666667",
        "rho1 = 1 and rho2 = 1",
        "the systems' own scores are equal-tailed",
    ],
    "bayes-test-hold-out": ["H0, that", "By the rule hdi-rope"],
    "bayes-test-paired": [
        "over 20 items tested 3 times by 3 x 2 cross-validation",
        "Dirichlet model",
    ],
    "correlated-t": [
        "(1 data set, 10 folds)",
        "9 degrees of freedom",
        "rho = 0.1",
        "corrected resampled t test is given",
    ],
    "correlated-t-5x2": ["rho = 0.5", "5x2cv t and 5x2cv F tests are given"],
    "signed-rank": [
        "8 data sets, one score each",
        "Dirichlet process",
        "of weight 0.5",
        "that of the mean over data sets",
    ],
    "sign-of-sets": ["The Bayesian sign test", "of weight 1"],
    "hierarchical": [
        "(3 data sets, 15 folds)",
        "rho = 0.2",
        "integrated by quadrature",
        "the centre of the population",
    ],
    "randomization": ["exact randomization test", "item by item", "either direction"],
    "randomization-drawn": ["approximate randomization", "(s + 1) / (b + 1)"],
    "bootstrap": ["more than twice", "direction that the data showed", "b = 1,000"],
    "bootstrap-two-sided": ["by at least the size", "in either direction"],
    "bootstrap-greater": ["in favour of the candidate"],
    "mcnemar": ["McNemar's exact conditional test, two-sided", "discordant items: 15"],
    "mcnemar-midp": ["mid-p"],
    "sign": ["exact sign test over items"],
    "s-test": ["normal approximation"],
    "p-test": ["two proportions"],
    "delong": ["DeLong's test of two correlated areas"],
    "randomization-ranked": ["ranks by the two systems are swapped"],
    "estimate": ["F1 (b) of first over 60 items", "exact law", "95 % HDI"],
    "estimate-equal-tailed": ["95 % equal-tailed interval"],
    "estimate-paired": ["The score has the posterior of a Dirichlet", "like its best"],
    "estimate-uniform": ["the 4 patterns of gold label and prediction, each b or not"],
    "estimate-bootstrap": ["95 % confidence interval, by the percentiles"],
    "estimate-difference": ["the difference in accuracy between the candidate second"],
    "classes": [
        "on F1 of each of 4 classes against the rest",
        "The prior has the weight of 2 imaginary items",
        "micro F1, macro F1 and weighted F1",
        "the S-test and T-test over the classes' metrics",
    ],
    "classes-hierarchical": ["concentration is fixed at 4 and whose centre is learned"],
    "sensitivity": ["weigh 0.1, 0.2, 0.5, 1, 2, 5 and 10 times as much as usual"],
    "sensitivity-factor": ["posterior odds", "10 times as much as usual"],
    "plan": [
        "accuracies 0.8 and 0.85, agreement 0.9 (a difference of +0.0500)",
        "60 experiments were simulated (seed 0)",
        "each posterior with 1,000 draws",
        "for 200 and 2,000 items",
        "the number of items that gives the verdict better a chance of 80 %",
        "that 2,000 items show as better",
    ],
    "pairs": ["3 systems with each other", "if its probability is at least 0.6"],
    "pairs-one-set": ["4 degrees of freedom", "most probable relation"],
    "ranking": [
        "ranks rest on 1,000 draws (seed 0)",
        "Friedman's test",
        "critical difference at a level of 0.05",
        "adjusted for the number of pairs by Holm",
        "partial conjunctions",
    ],
    "ranking-items": ["joint draws of all systems on the same items"],
    "ranking-without-draws": ["3 systems with each other", "is at least 0.5"],
    "study": [
        "the systems first and second were trained and tested on 1 data set (mail)",
        "by the design blocked 3x2 stratified seed 0: 6 folds",
        "12 of 12 folds finished",
        "python 3.12.1",
        "on F1 by 3 x 2",
        "on recall by 3 x 2",
    ],
    "study-pairs": ["3 systems with each other"],
    "study-unfinished": ["12 of 16 folds finished, 1 failed", "No comparison was made"],
}


@pytest.mark.parametrize("name", SAID)
def test_a_paragraph_says_what_was_done(name):
    text = result(name).paragraph()
    for words in SAID[name]:
        assert words in text, text


def test_every_kind_is_looked_at():
    assert set(KINDS) - set(SAID) == {"power", "needed", "smallest"}
    for name in ("power", "needed", "smallest"):
        assert "We planned a comparison" in result(name).paragraph()


def test_the_quadrature_error_is_that_of_the_result():
    actual = result("hierarchical")
    assert f"{actual.data_sets.population.error:.1e}" in actual.paragraph()
    worst = max(c.data_sets.population.error for c in result("pairs").comparisons)
    assert f"{worst:.1e}" in result("pairs").paragraph()


def test_p_values_say_how_they_were_counted():
    actual = nulled("bootstrap", metric="f1", positive="b")
    s, b = (int(actual.null.details[key]) for key in "sb")
    assert actual.p_value == (s + 1) / (b + 1)
    assert f"b = {b:,} draws (seed 0), s = {s:,} of which count" in actual.paragraph()


def test_the_p_value_of_a_system_and_its_copy_is_no_share_of_draws():
    gold = ["a", "b"] * 20
    same = lk.null_test(
        gold, gold, gold, metric="accuracy", method="bootstrap", draws=50, seed=0
    )
    assert same.p_value == 1
    assert "(s + 1)" not in same.paragraph()
    assert "the p-value is 1" in same.paragraph()


def test_clusters_are_swapped_and_drawn_whole():
    cluster = [i // 2 for i in range(60)]
    text = nulled("randomization", cluster=cluster).paragraph()
    assert "cluster by cluster" in text
    drawn = nulled(Bootstrap(), cluster=cluster).paragraph()
    assert "bootstrap of clusters" in drawn


def test_a_pilot_is_named_with_its_uncertainty():
    table = Outcomes.from_labels("aabb" * 20, "abab" * 20, "aabb" * 20)
    settings = {"metric": "accuracy", "replications": 20, "draws": 50, "seed": 0}
    sure, unsure = (
        lk.plan(Assumed.pilot(table, certain=certain), **settings)
        .chances(100)
        .paragraph()
        for certain in (True, False)
    )
    assert "pilot of 80 items taken as the truth (a difference" in sure
    assert "each experiment with a truth of its own" in unsure
    assert "each experiment with a truth of its own" not in sure


def test_hierarchical_classes_say_what_is_learned():
    gold = list("abc" * 20)
    actual = lk.compare_groups(
        gold,
        gold[::-1],
        gold,
        method=HierarchicalClasses(centre="uniform"),
        draws=60,
        seed=0,
    )
    text = "whose concentration is learned and whose centre is uniform"
    assert text in actual.paragraph()


def test_a_method_of_the_users_own_is_named_and_not_explained():
    class Mine:
        name = "mine"

        def null(self, *_):
            return result("mcnemar").null

        def parameters(self, _):
            return {"with": "my own\x1b"}

    actual = nulled(Mine())
    assert "The test is mine with=my own\\x1b." in actual.paragraph()
    assert set(entries(actual.bibtex())) == {"likelier"}


def test_a_study_says_what_its_answers_share_once():
    one, both = studied(by_folds()), result("study")
    share = "multiplied by 0.36880211"
    assert one.paragraph().count(share) == both.paragraph().count(share) == 1
    assert "on recall" not in one.paragraph()
    assert "1 failed" in studied(failures=(FAILED,)).paragraph()


def test_a_plan_that_needs_no_number_says_less():
    whole = planned()
    short = replace(whole, needed=None, smallest=())
    assert "gives the verdict" not in short.paragraph()


# --- references ---------------------------------------------------------------

# What to cite for each method, by what asks for it and by its name.
CITED = {
    "items": {
        "paired": ("zhang2016",),
        "unpaired": ("zhang2016",),
        "independent": ("wang2019", "goutte2005"),
        "monte-carlo": ("wang2019", "goutte2005"),
    },
    "null": {
        "bootstrap": ("berg2012",),
        "randomization": ("noreen1989",),
        "mcnemar": ("mcnemar1947",),
        "mcnemar-midp": ("mcnemar1947", "fagerland2013"),
        "sign": ("demsar2006",),
        "s-test": ("yang1999",),
        "p-test": ("yang1999",),
        "delong": ("delong1988", "sun2014"),
    },
    "estimate": {
        "exact-law": ("goutte2005",),
        "paired": ("zhang2016",),
        "bootstrap": ("efron1993",),
    },
    "groups": {"hierarchical": ("zhang2015",)},
    "folds": {
        "correlated-t": ("corani2015", "nadeau2003"),
        "hierarchical": ("corani2017",),
        "signed-rank": ("benavoli2014", "benavoli2017"),
        "sign": ("benavoli2017",),
    },
    "companion": {
        "corrected resampled t": ("nadeau2003",),
        "5x2cv t": ("dietterich1998",),
        "5x2cv F": ("alpaydin1999",),
        "Wilcoxon": ("demsar2006",),
        "Bayesian sign": ("benavoli2017",),
    },
}
METHODS = [(question, name) for question in CITED for name in CITED[question]][:-5]
BY_FOLDS = {"sign": "sign-of-sets"}


def model_of(question, name):
    """Return the sentence on the method of an answer."""
    if name == "delong":
        return sentences.null_model(result(name).settings)[0]
    if question == "null":
        return sentences.null_model(nulled(name).settings)[0]
    if question == "items":
        answer = compared(method=name)
    elif question == "estimate":
        answer = estimated(method=name)
    elif question == "groups":
        answer = result("classes-hierarchical")
    else:
        answer = result(BY_FOLDS.get(name, name))
    return sentences.posterior_model(answer.settings)[0]


@pytest.mark.parametrize(
    ("question", "methods"),
    [
        ("items", POSTERIOR_METHODS),
        ("null", NULL_METHODS),
        ("estimate", ESTIMATE_METHODS),
        ("groups", ["hierarchical"]),
        ("folds", FOLD_METHODS),
    ],
)
def test_every_method_is_looked_at(question, methods):
    assert set(CITED[question]) == set(methods)


@pytest.mark.parametrize(("question", "name"), METHODS)
def test_every_method_has_its_references(question, name):
    assert model_of(question, name).cites == CITED[question][name]


def test_every_companion_has_its_references():
    made = [lk.compare_folds(HALVES), result("signed-rank"), result("hierarchical")]
    names = {companion.name for actual in made for companion in actual.companions}
    assert names == set(CITED["companion"])
    assert CITED["companion"] == sentences.COMPANION_CITES


def test_only_references_that_exist_are_named():
    named = {key for group in CITED.values() for keys in group.values() for key in keys}
    assert named <= set(REFERENCES)


def test_every_reference_is_cited_by_some_kind():
    used = {
        key
        for name in KINDS
        for sentence in result(name).sentences()
        for key in sentence.cites
    }
    assert used == set(REFERENCES)


def test_rules_factors_and_priors_are_all_tried_here():
    assert {f"comparison-{rule}" for rule in RULES} <= {*KINDS, "comparison-hdi-rope"}
    assert {f"comparison-{name}" for name in FACTORS} <= set(KINDS)
    tried = {result(name).settings.parameters.get("prior") for name in KINDS}
    assert set(PRIORS) <= tried


def test_the_bibliography_is_valid_bibtex():
    text = as_bibtex([Sentence("All of them", tuple(REFERENCES))])
    actual = entries(text)
    assert text.isascii()
    assert "http" not in text
    assert len(actual) == len(REFERENCES) + 1
    for key, (kind, fields) in actual.items():
        assert WANTED[kind] <= set(fields), key
        assert not {"", "?"} & set(fields.values())
        assert all(value.count("{") == value.count("}") for value in fields.values())
        assert re.fullmatch(r"10\.\d+/\S+", fields.get("doi", "10.1/x"))
        assert re.fullmatch(r"\d+--\d+", fields.get("pages", "1--2"))
        assert not re.search(r"(?<!\\)[%#]", "".join(fields.values()))
        assert key == "likelier" or key.endswith(fields["year"])


def test_short_names_differ_and_begin_with_the_first_author():
    short = [one.short for one in REFERENCES.values()]
    assert len(set(short)) == len(short)
    for one in REFERENCES.values():
        year = one.fields["year"]
        assert one.short.endswith(f", {year}")
        # But for the letters that LaTeX writes as commands.
        bare = re.sub(r"\{\\\W?v?\{?(\w)\}*", r"\1", one.fields["author"])
        ascii_short = one.short.replace("š", "s").replace("ń", "n")
        assert ascii_short.split(" ")[0].rstrip(",") == bare.split(",")[0]


def test_the_library_is_cited_with_its_version():
    entry = as_bibtex([])
    assert set(entries(entry)) == {"likelier"}
    assert "The likelier developers" in entry
    assert f"Version {package_version()}" in entry


def test_two_comparisons_share_their_bibliography():
    sentences = [*compared().sentences(), *nulled("mcnemar").sentences()]
    actual = entries(as_bibtex(sentences))
    assert {"mcnemar1947", "zhang2016"} <= set(actual)
