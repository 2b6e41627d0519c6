"""Systems: how they are made for each fold, and what is refused."""

import copy
import pickle
import threading
from itertools import count

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline

from likelier.errors import LikelierError, SettingError
from likelier.study import CommandSystem, NamedSystem, ObjectSystem
from likelier.study.systems import as_system

_numbers = count()
TEXT = """
class Plain:
    def __init__(self, words=None, n=0):
        self.words = [] if words is None else words
        self.n = n
    def fit(self, inputs, gold):
        self.words.append("learned")
        return self
    def predict(self, inputs):
        return [len(self.words)] * len(inputs)

class Called(Plain):
    def __call__(self, *words):
        raise AssertionError("it predicts: nobody calls it")

class Maker:
    def __call__(self, n=0):
        return Plain(n=n)

class Seeded(Plain):
    def __init__(self, random_state=None):
        super().__init__()
        self.random_state = random_state

class Fixed(Plain):
    random_state = None

class Failing(Plain):
    def __init__(self):
        None + 1

class NoFit:
    def predict(self, inputs): return inputs

class NoPredict:
    def fit(self, inputs, gold): return self

class Odd:
    fit = 3
    predict = "x"

def make(n=0):
    return Plain(n=n)

def make_nothing():
    return None

plain, called, maker, number, text, nothing = Plain(), Called(), Maker(), 3, "x", None
function = len
"""


@pytest.fixture
def named(tmp_path):
    module = f"systems_{next(_numbers)}"
    (tmp_path / f"{module}.py").write_text(TEXT)

    def named(name, **settings):
        return NamedSystem(f"{module}:{name}", settings, tmp_path)

    return named


def made(system, seed=7):
    return system.make(seed, "labels")


def refused(system):
    with pytest.raises(LikelierError) as caught:
        made(system)
    return str(caught.value)


# --- by name ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Plain", "make", "maker", "plain", "called"])
def test_each_fold_gets_its_own(named, name):
    system = named(name)
    before = system.digest()
    for _ in range(3):
        one = made(system)
        assert one.predict("ab") == [0, 0]
        one.fit("ab", "xy")
        assert one.predict("ab") == [1, 1]
    assert system.digest() == before


@pytest.mark.parametrize("name", ["Plain", "make", "maker"])
def test_settings_go_to_what_makes_the_system(named, name):
    assert made(named(name, n=5)).n == 5


def test_settings_are_copied_for_each_fold(named):
    system = named("Plain", words=[["deep"]])
    before = system.digest()
    for _ in range(2):
        one = made(system)
        assert one.predict("a") == [1]
        one.fit("a", "b")
        one.words[0].append("more")
    assert system.digest() == before
    assert system.settings == {"words": [["deep"]]}


@pytest.mark.parametrize("name", ["plain", "called", "number", "text", "nothing"])
def test_settings_need_a_class_or_a_function(named, name):
    message = refused(named(name, n=1))
    assert "must be a class or function to have settings" in message


@pytest.mark.parametrize("name", ["Plain", "make", "Seeded", "maker"])
def test_settings_that_are_not_known(named, name):
    message = refused(named(name, nonsense=1))
    assert f":{name}' must take its settings" in message
    assert "nonsense" in message


@pytest.mark.parametrize("settings", [3, "x", ["a"], None])
def test_settings_must_be_a_table(tmp_path, settings):
    with pytest.raises(SettingError, match="settings must be a table"):
        NamedSystem("json:dumps", settings, tmp_path)


def test_errors_of_a_constructor_are_its_own(named):
    with pytest.raises(TypeError, match="unsupported operand"):
        made(named("Failing"))


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("NoFit", "fit"),
        ("NoPredict", "predict"),
        ("Odd", "fit"),
        ("make_nothing", "fit"),
        ("number", "fit"),
        ("text", "fit"),
        ("nothing", "fit"),
    ],
)
def test_systems_must_fit_and_predict(named, name, missing):
    message = refused(named(name))
    assert f":{name}' must have fit and predict; {missing} is missing." in message


def test_missing_names_are_refused_at_once(named, tmp_path):
    with pytest.raises(SettingError, match="nowhere"):
        named("nowhere")
    with pytest.raises(SettingError, match="no_such_module"):
        NamedSystem("no_such_module:A", {}, tmp_path)


@pytest.mark.parametrize("scheme", ["iob9", "", 3, ["iob2"]])
def test_schemes_must_exist(scheme):
    for make in (
        lambda: NamedSystem("sklearn.svm:SVC", scheme=scheme),
        lambda: ObjectSystem(LogisticRegression(), scheme),
        lambda: CommandSystem(
            ["x", "{train}", "{test}", "{predictions}"], scheme=scheme
        ),
    ):
        with pytest.raises(SettingError, match="scheme must be one of"):
            make()


def test_systems_can_be_sent_to_workers(named):
    one = named("Plain", n=3).pinned()
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.digest() == one.digest()
    assert made(again).n == 3


# --- objects ------------------------------------------------------------------


class Own:
    def __init__(self, n=1):
        self.n, self.seen = n, []

    def fit(self, inputs, gold):
        self.seen.append(len(inputs))

    def predict(self, inputs):
        return [len(self.seen)] * len(inputs)


class Called(Own):
    def __call__(self):
        msg = "it predicts: nobody calls it"
        raise AssertionError(msg)


class NeedsWords(Own):
    def __init__(self, words):
        super().__init__()


@pytest.mark.parametrize(
    "value",
    [Own, Own(2), lambda: Own(3), Called(), Called],
    ids=lambda v: type(v).__name__,
)
def test_objects_are_copied_for_each_fold(value):
    system = as_system(value)
    before = system.digest()
    for _ in range(3):
        one = made(system)
        one.fit("ab", "xy")
        assert one.predict("ab") == [1, 1]
    assert system.digest() == before
    if isinstance(value, Own):
        assert value.seen == []


def test_parts_of_objects_are_copied_too():
    shared = {"words": []}
    own = Own()
    own.table = shared
    one = made(ObjectSystem(own))
    one.table["words"].append(1)
    assert shared == {"words": []}


def test_estimators_are_cloned():
    fitted = LogisticRegression(C=2.0).fit([[0.0], [1.0]], ["a", "b"])
    one = made(ObjectSystem(fitted))
    assert one is not fitted
    assert one.C == 2.0
    assert not hasattr(one, "coef_")
    assert fitted.random_state is None
    assert ObjectSystem(fitted).packages == ("scikit-learn",)
    assert ObjectSystem(LogisticRegression).packages == ("scikit-learn",)
    assert ObjectSystem(Own()).packages == ()


@pytest.mark.parametrize("value", [3, None, object(), len, str, lambda: None, print])
def test_objects_must_fit_and_predict(value):
    with pytest.raises(LikelierError, match=r"fit|argument"):
        made(ObjectSystem(value))


def test_refused_objects_are_named():
    assert "':'" not in refused(ObjectSystem(3))
    assert "int" in refused(ObjectSystem(3))
    assert "NeedsWords" in refused(ObjectSystem(NeedsWords))


class Locked(Own):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


def test_objects_that_cannot_be_copied_are_refused():
    assert "must be an object that can be copied" in refused(ObjectSystem(Locked()))
    assert made(ObjectSystem(Locked)).predict("a") == [0]


class Params(Own):
    """Has parameters, but is none of scikit-learn's."""

    def get_params(self):
        return {"n": self.n}


def test_objects_with_parameters_of_their_own_kind():
    one = made(ObjectSystem(Params(4)))
    assert one.n == 4
    assert ObjectSystem(Params(4)).digest() != ObjectSystem(Params(5)).digest()


def test_what_is_a_system_stays_one(named):
    for system in (
        named("Plain"),
        ObjectSystem(Own()),
        CommandSystem(["x", "{train}", "{test}", "{predictions}"]),
    ):
        assert as_system(system) is system
    assert isinstance(as_system("sklearn.svm:SVC"), NamedSystem)
    assert isinstance(as_system(LogisticRegression()), ObjectSystem)


def test_other_objects_have_other_digests():
    values = [
        Own,
        Own(1),
        Own(2),
        Called(),
        LogisticRegression(),
        LogisticRegression(C=2),
    ]
    digests = {ObjectSystem(value).digest() for value in values}
    assert len(digests) == len(values)
    assert ObjectSystem(Own(1)).digest() == ObjectSystem(copy.deepcopy(Own(1))).digest()
    assert ObjectSystem(Own(), "iob2").digest() != ObjectSystem(Own()).digest()


# --- seeds --------------------------------------------------------------------


def seeds(system, seed=7):
    params = made(system, seed).get_params()
    return {k: v for k, v in params.items() if k.endswith("random_state")}


def test_random_states_without_a_seed_get_the_one_of_the_fold():
    assert seeds(ObjectSystem(LogisticRegression())) == {"random_state": 7}
    assert seeds(ObjectSystem(LogisticRegression()), 8) == {"random_state": 8}
    assert seeds(NamedSystem("sklearn.linear_model:LogisticRegression")) == {
        "random_state": 7
    }


@pytest.mark.parametrize("state", [0, 1, np.random.RandomState(3)], ids=str)
def test_random_states_of_the_user_are_kept(state):
    (state_of_copy,) = seeds(
        ObjectSystem(LogisticRegression(random_state=state))
    ).values()
    if isinstance(state, int):
        assert state_of_copy == state
    else:
        assert state_of_copy is not state
        assert state_of_copy.randint(1000) == np.random.RandomState(3).randint(1000)


def test_nested_random_states():
    pipeline = make_pipeline(
        CountVectorizer(),
        BaggingClassifier(SGDClassifier(random_state=2), random_state=None),
    )
    assert seeds(ObjectSystem(pipeline)) == {
        "baggingclassifier__estimator__random_state": 2,
        "baggingclassifier__random_state": 7,
    }
    assert pipeline[-1].random_state is None


def test_seeds_make_systems_repeat_themselves():
    X, y = np.arange(40.0).reshape(20, 2) % 7, ["a", "b"] * 10
    system = ObjectSystem(RandomForestClassifier(3, max_features=1))
    probabilities = [
        made(system, 5).fit(X, y).predict_proba(X).tolist() for _ in range(2)
    ]
    assert probabilities[0] == probabilities[1]


def test_seeds_of_plain_objects(named):
    assert made(named("Seeded")).random_state == 7
    assert made(named("Seeded", random_state=3)).random_state == 3
    assert made(named("Seeded", random_state=0)).random_state == 0
    assert made(named("Fixed")).random_state == 7
    assert not hasattr(made(named("Plain")), "random_state")


class ReadOnly(Own):
    @property
    def random_state(self):
        return None


def test_a_random_state_that_cannot_be_set_is_left_alone():
    assert made(ObjectSystem(ReadOnly())).random_state is None


class WithParams(BaseEstimator):
    def __init__(self, random_state=None, my_random_state=None):
        self.random_state, self.my_random_state = random_state, my_random_state

    def fit(self, inputs, gold):
        return self

    def predict(self, inputs):
        return inputs


def test_only_random_state_is_a_random_state():
    one = made(ObjectSystem(WithParams()))
    assert (one.random_state, one.my_random_state) == (7, None)
