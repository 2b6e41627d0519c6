r"""The papers that the methods come from.

Letters beyond ASCII are written as LaTeX commands, so that every BibTeX reads them.
"""

from likelier.references.entry import Reference


def _paper(key: str, short: str, *told: str, **more: str) -> Reference:
    author, title, journal, volume, pages = told
    kind = "article" if volume else "inproceedings"
    fields = {"author": author, "title": title}
    fields["journal" if volume else "booktitle"] = journal
    number = more.pop("number", "")
    fields |= {"volume": volume, "number": number, "pages": pages}
    year = key.lstrip("abcdefghijklmnopqrstuvwxyz")
    known = fields | {"year": year} | more
    return Reference(
        key, short, kind, {name: text for name, text in known.items() if text}
    )


_ACL = "Proceedings of the 57th Annual Meeting of the Association for Computational"
_SIGIR = (
    "International {ACM} {SIGIR} Conference on Research and Development in "
    "Information Retrieval"
)
_JMLR = "Journal of Machine Learning Research"
_NEURAL = "Neural Computation"

_LISTED = (
    _paper(
        "zhang2016",
        "Zhang et al., 2016",
        "Zhang, Dell and Wang, Jun and Yilmaz, Emine and Wang, Xiaoling and Zhou, "
        "Yuxin",
        "{Bayesian} Performance Comparison of Text Classifiers",
        f"Proceedings of the 39th {_SIGIR}",
        "",
        "15--24",
        doi="10.1145/2911451.2911547",
    ),
    _paper(
        "wang2019",
        "Wang and Li, 2019",
        "Wang, Ruibo and Li, Jihong",
        "{Bayes} Test of Precision, Recall, and {F1} Measure for Comparison of Two "
        "Natural Language Processing Models",
        f"{_ACL} Linguistics",
        "",
        "4135--4145",
        doi="10.18653/v1/P19-1405",
    ),
    _paper(
        "goutte2005",
        "Goutte and Gaussier, 2005",
        "Goutte, Cyril and Gaussier, Eric",
        "A Probabilistic Interpretation of Precision, Recall and {F}-Score, with "
        "Implication for Evaluation",
        "Proceedings of the 27th European Conference on {IR} Research",
        "",
        "345--359",
        doi="10.1007/978-3-540-31865-1_25",
    ),
    _paper(
        "corani2015",
        "Corani and Benavoli, 2015",
        "Corani, Giorgio and Benavoli, Alessio",
        "A {Bayesian} Approach for Comparing Cross-Validated Algorithms on Multiple "
        "Data Sets",
        "Machine Learning",
        "100",
        "285--304",
        doi="10.1007/s10994-015-5486-z",
    ),
    _paper(
        "corani2017",
        "Corani et al., 2017",
        r"Corani, Giorgio and Benavoli, Alessio and Dem{\v{s}}ar, Janez and Mangili, "
        "Francesca and Zaffalon, Marco",
        "Statistical Comparison of Classifiers through {Bayesian} Hierarchical "
        "Modelling",
        "Machine Learning",
        "106",
        "1817--1837",
        doi="10.1007/s10994-017-5641-9",
    ),
    _paper(
        "zhang2015",
        "Zhang et al., 2015",
        "Zhang, Dell and Wang, Jun and Zhao, Xiaoxue and Wang, Xiaoling",
        "A {Bayesian} Hierarchical Model for Comparing Average {F1} Scores",
        "Proceedings of the 2015 IEEE International Conference on Data Mining",
        "",
        "589--598",
        doi="10.1109/ICDM.2015.44",
    ),
    _paper(
        "benavoli2014",
        "Benavoli et al., 2014",
        "Benavoli, Alessio and Corani, Giorgio and Mangili, Francesca and Zaffalon, "
        "Marco and Ruggeri, Fabrizio",
        "A {Bayesian} {Wilcoxon} Signed-Rank Test Based on the {Dirichlet} Process",
        "Proceedings of the 31st International Conference on Machine Learning",
        "",
        "1026--1034",
    ),
    _paper(
        "benavoli2017",
        "Benavoli et al., 2017",
        r"Benavoli, Alessio and Corani, Giorgio and Dem{\v{s}}ar, Janez and Zaffalon, "
        "Marco",
        "Time for a Change: A Tutorial for Comparing Multiple Classifiers through "
        "{Bayesian} Analysis",
        _JMLR,
        "18",
        "1--36",
        number="77",
    ),
    _paper(
        "szymanski2020",
        "Szymański and Gorman, 2020",
        r"Szyma{\'n}ski, Piotr and Gorman, Kyle",
        "Is the Best Better? {Bayesian} Statistical Model Comparison for Natural "
        "Language Processing",
        "Proceedings of the 2020 Conference on Empirical Methods in Natural Language "
        "Processing",
        "",
        "2203--2212",
        doi="10.18653/v1/2020.emnlp-main.172",
    ),
    _paper(
        "kruschke2013",
        "Kruschke, 2013",
        "Kruschke, John K.",
        "{Bayesian} Estimation Supersedes the t Test",
        "Journal of Experimental Psychology: General",
        "142",
        "573--603",
        number="2",
        doi="10.1037/a0029146",
    ),
    Reference(
        "efron1993",
        "Efron and Tibshirani, 1993",
        "book",
        {
            "author": "Efron, Bradley and Tibshirani, Robert J.",
            "title": "An Introduction to the Bootstrap",
            "publisher": r"Chapman \& Hall",
            "year": "1993",
            "doi": "10.1201/9780429246593",
        },
    ),
    Reference(
        "jeffreys1961",
        "Jeffreys, 1961",
        "book",
        {
            "author": "Jeffreys, Harold",
            "title": "Theory of Probability",
            "edition": "3rd",
            "publisher": "Oxford University Press",
            "year": "1961",
        },
    ),
    _paper(
        "dickey1970",
        "Dickey and Lientz, 1970",
        "Dickey, J. M. and Lientz, B. P.",
        "The Weighted Likelihood Ratio, Sharp Hypotheses about Chances, the Order of a "
        "{Markov} Chain",
        "The Annals of Mathematical Statistics",
        "41",
        "214--226",
        number="1",
    ),
    _paper(
        "rubin1981",
        "Rubin, 1981",
        "Rubin, Donald B.",
        "The {Bayesian} Bootstrap",
        "The Annals of Statistics",
        "9",
        "130--134",
        number="1",
        doi="10.1214/aos/1176345338",
    ),
    _paper(
        "berg2012",
        "Berg-Kirkpatrick et al., 2012",
        "Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
        "An Empirical Investigation of Statistical Significance in {NLP}",
        "Proceedings of the 2012 Joint Conference on Empirical Methods in Natural "
        "Language Processing and Computational Natural Language Learning",
        "",
        "995--1005",
    ),
    Reference(
        "noreen1989",
        "Noreen, 1989",
        "book",
        {
            "author": "Noreen, Eric W.",
            "title": "Computer-Intensive Methods for Testing Hypotheses: "
            "An Introduction",
            "publisher": r"John Wiley \& Sons",
            "year": "1989",
        },
    ),
    _paper(
        "mcnemar1947",
        "McNemar, 1947",
        "McNemar, Quinn",
        "Note on the Sampling Error of the Difference between Correlated Proportions "
        "or Percentages",
        "Psychometrika",
        "12",
        "153--157",
        number="2",
        doi="10.1007/BF02295996",
    ),
    _paper(
        "fagerland2013",
        "Fagerland et al., 2013",
        "Fagerland, M. W. and Lydersen, S. and Laake, P.",
        "The {McNemar} Test for Binary Matched-Pairs Data: Mid-p and Asymptotic Are "
        "Better than Exact Conditional",
        "BMC Medical Research Methodology",
        "13",
        "",
        number="91",
        doi="10.1186/1471-2288-13-91",
    ),
    _paper(
        "yang1999",
        "Yang and Liu, 1999",
        "Yang, Yiming and Liu, Xin",
        "A Re-Examination of Text Categorization Methods",
        f"Proceedings of the 22nd Annual {_SIGIR}",
        "",
        "42--49",
        doi="10.1145/312624.312647",
    ),
    _paper(
        "nadeau2003",
        "Nadeau and Bengio, 2003",
        "Nadeau, Claude and Bengio, Yoshua",
        "Inference for the Generalization Error",
        "Machine Learning",
        "52",
        "239--281",
        number="3",
        doi="10.1023/A:1024068626366",
    ),
    _paper(
        "dietterich1998",
        "Dietterich, 1998",
        "Dietterich, Thomas G.",
        "Approximate Statistical Tests for Comparing Supervised Classification "
        "Learning Algorithms",
        _NEURAL,
        "10",
        "1895--1923",
        number="7",
        doi="10.1162/089976698300017197",
    ),
    _paper(
        "alpaydin1999",
        "Alpaydin, 1999",
        "Alpaydin, Ethem",
        r"Combined 5 $\times$ 2 cv {F} Test for Comparing Supervised Classification "
        "Learning Algorithms",
        _NEURAL,
        "11",
        "1885--1892",
        number="8",
        doi="10.1162/089976699300016007",
    ),
    _paper(
        "demsar2006",
        "Demšar, 2006",
        r"Dem{\v{s}}ar, Janez",
        "Statistical Comparisons of Classifiers over Multiple Data Sets",
        _JMLR,
        "7",
        "1--30",
    ),
    _paper(
        "iman1980",
        "Iman and Davenport, 1980",
        "Iman, R. L. and Davenport, J. M.",
        "Approximations of the Critical Region of the {Friedman} Statistic",
        "Communications in Statistics -- Theory and Methods",
        "9",
        "571--595",
        number="6",
        doi="10.1080/03610928008827904",
    ),
    _paper(
        "holm1979",
        "Holm, 1979",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics",
        "6",
        "65--70",
        number="2",
    ),
    _paper(
        "benjamini1995",
        "Benjamini and Hochberg, 1995",
        "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to "
        "Multiple Testing",
        "Journal of the Royal Statistical Society: Series B (Methodological)",
        "57",
        "289--300",
        number="1",
        doi="10.1111/j.2517-6161.1995.tb02031.x",
    ),
    _paper(
        "dror2017",
        "Dror et al., 2017",
        "Dror, Rotem and Baumer, Gili and Bogomolov, Marina and Reichart, Roi",
        "Replicability Analysis for Natural Language Processing: Testing Significance "
        "with Multiple Datasets",
        "Transactions of the Association for Computational Linguistics",
        "5",
        "471--486",
        doi="10.1162/tacl_a_00074",
    ),
)

REFERENCES: dict[str, Reference] = {one.key: one for one in _LISTED}
