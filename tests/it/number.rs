//! Exact numbers: tables of the corner cases of 64 bits, and agreement with `num-rational` on
//! random operands that meet these corners often.

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};

use crate::time::seconds_of;
use horn::number::{DeltaRational, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// Reads `-12`, `3.5`, `-9223372036854775808/3` and the names of the ends of the 64-bit range.
fn number(text: &str) -> Rational {
    let (text, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let value = match text.split_once('/') {
        Some((num, den)) => number(num) / number(den),
        None => match text {
            "MAX" => Rational::from(i64::MAX),
            "MIN" => Rational::from(i64::MIN),
            _ => Rational::parse(text).unwrap_or_else(|| panic!("{text} is no number")),
        },
    };
    if negative { -value } else { value }
}

/// Evaluates `a op b` or `op a` and compares the printed result.
fn check(input: &str, expected: &str) {
    let words: Vec<&str> = input.split_whitespace().collect();
    let result = match words[..] {
        [a, "+", b] => number(a) + number(b),
        [a, "-", b] => number(a) - number(b),
        [a, "*", b] => number(a) * number(b),
        [a, "/", b] => number(a) / number(b),
        [a, "div", b] => number(a).div_euclid(&number(b)),
        [a, "mod", b] => number(a).mod_euclid(&number(b)),
        [a, "gcd", b] => number(a).gcd(&number(b)),
        [a, "lcm", b] => number(a).lcm(&number(b)),
        [a, "^", b] => number(a).pow(b.parse().expect("an exponent")),
        ["neg", a] => -number(a),
        ["abs", a] => number(a).abs(),
        ["recip", a] => number(a).recip(),
        ["floor", a] => number(a).floor(),
        ["ceil", a] => number(a).ceil(),
        [a] => number(a),
        _ => panic!("no such test: {input}"),
    };
    assert_eq!(result.to_string(), expected, "{input}");
    assert_canonical(&result);
}

/// The number is stored as its value demands, and equals and hashes as the same value made in
/// another way.
fn assert_canonical(value: &Rational) {
    let (num, den) = (value.numer(), value.denom());
    assert!(
        den.is_positive() && num.gcd(&den).is_one(),
        "{value} is not in lowest terms"
    );
    let small = i64::try_from(&num).ok().zip(i64::try_from(&den).ok());
    assert_eq!(value.to_small_parts(), small);
    let again = Rational::from_big_parts(num, den);
    let hasher = RandomState::new();
    assert_eq!(*value, again);
    assert_eq!(hasher.hash_one(value), hasher.hash_one(&again));
}

#[test]
fn the_ends_of_the_64_bit_range() {
    for (input, expected) in [
        ("MAX + 1", "9223372036854775808"),
        ("9223372036854775808 - 1", "9223372036854775807"),
        ("MIN - 1", "-9223372036854775809"),
        ("neg MIN", "9223372036854775808"),
        ("neg 9223372036854775808", "-9223372036854775808"),
        ("abs MIN", "9223372036854775808"),
        ("recip MIN", "-1/9223372036854775808"),
        ("recip -1/9223372036854775808", "-9223372036854775808"),
        ("recip -1/9223372036854775807", "-9223372036854775807"),
        ("MIN * -1", "9223372036854775808"),
        ("MIN * MIN", "85070591730234615865843651857942052864"),
        ("MIN / -1", "9223372036854775808"),
        ("MIN / MIN", "1"),
        ("MIN / MAX", "-9223372036854775808/9223372036854775807"),
        ("MIN div -1", "9223372036854775808"),
        ("MIN mod -1", "0"),
        ("MIN div MAX", "-2"),
        ("MIN mod MAX", "9223372036854775806"),
        ("MIN gcd MIN", "9223372036854775808"),
        ("MIN gcd 0", "9223372036854775808"),
        ("MIN lcm MAX", "85070591730234615856620279821087277056"),
        ("1/MAX + 1/MAX", "2/9223372036854775807"),
        ("MAX/2 + MAX/2", "9223372036854775807"),
        ("MIN/3 - MAX/3", "-6148914691236517205"),
        ("1/MAX * 1/MAX", "1/85070591730234615847396907784232501249"),
        ("MIN/3 * 3/MIN", "1"),
    ] {
        check(input, expected);
    }
}

#[test]
fn smtlib_division_and_rounding() {
    for (input, expected) in [
        ("7 div 2", "3"),
        ("7 mod 2", "1"),
        ("-7 div 2", "-4"),
        ("-7 mod 2", "1"),
        ("7 div -2", "-3"),
        ("7 mod -2", "1"),
        ("-7 div -2", "4"),
        ("-7 mod -2", "1"),
        ("6 div -2", "-3"),
        ("-6 mod -2", "0"),
        ("-100000000000000000000 div 30000000000", "-3333333334"),
        ("-100000000000000000000 mod 30000000000", "20000000000"),
        ("-100000000000000000000 div -30000000000", "3333333334"),
        ("7/2 div 1", "3"),
        ("7/2 mod -1", "1/2"),
        ("floor -7/2", "-4"),
        ("ceil -7/2", "-3"),
        ("floor 7/2", "3"),
        ("ceil 7/2", "4"),
        ("floor -100000000000000000001/10", "-10000000000000000001"),
        ("ceil -100000000000000000001/10", "-10000000000000000000"),
        ("ceil 5", "5"),
    ] {
        check(input, expected);
    }
}

#[test]
fn divisibility_of_fractions() {
    for (input, expected) in [
        ("12 gcd -18", "6"),
        ("12 lcm -18", "36"),
        ("0 gcd 0", "0"),
        ("0 lcm 0", "0"),
        ("0 lcm 5", "0"),
        ("1/2 gcd 1/3", "1/6"),
        ("1/2 lcm 1/3", "1"),
        ("4/3 gcd 2", "2/3"),
        ("0 gcd 3/7", "3/7"),
        ("2/3 ^ 3", "8/27"),
        ("-2 ^ 63", "-9223372036854775808"),
        ("0 ^ 0", "1"),
        ("0 ^ 5", "0"),
    ] {
        check(input, expected);
    }
    assert!(number("6").is_divisible_by(&number("-3")));
    assert!(!number("7").is_divisible_by(&number("3")));
    assert!(
        number("0").is_divisible_by(&number("0")) && !number("1").is_divisible_by(&number("0"))
    );
}

#[test]
fn literals() {
    for (input, expected) in [
        ("0", "0"),
        ("007", "7"),
        ("3.250", "13/4"),
        ("0.000", "0"),
        ("5.0", "5"),
        ("00000000000000000000000000000000000012.50", "25/2"),
        (
            "0.00000000000000000000000000000000000005",
            "1/20000000000000000000000000000000000000",
        ),
        (
            "0.12345678901234567890123456789",
            "12345678901234567890123456789/100000000000000000000000000000",
        ),
        ("9223372036854775808", "9223372036854775808"),
    ] {
        check(input, expected);
    }
    for text in [
        "", ".", "1.", ".5", "-1", "+1", "1e5", "1.2.3", " 1", "1 ", "0x1", "١", "1_000",
    ] {
        assert_eq!(Rational::parse(text), None, "{text:?}");
    }
}

#[test]
fn literals_of_a_megabyte() {
    // Quadratic reading and reduction take minutes; the bound only has to tell these apart on a
    // slow machine.
    let ((), seconds) = seconds_of(read_literals_of_a_megabyte);
    assert!(seconds < 30.0, "{seconds} s");
}

fn read_literals_of_a_megabyte() {
    let million = 1_000_000;
    let nines = "9".repeat(million);
    let read = Rational::parse(&nines).expect("a numeral") + Rational::one();
    assert_eq!(read.numer(), BigInt::from(10).pow(1_000_000));
    let fraction = Rational::parse(&format!("1.{nines}")).expect("a decimal");
    assert_eq!(fraction.numer(), read.numer() * 2 - 1);
    assert_eq!(fraction.denom(), read.numer());
    // Ends in 5 and in an even digit: the ways in which a decimal can be reduced.
    let half = Rational::parse(&format!("0.4{}5", "9".repeat(50_000))).expect("a decimal");
    assert_canonical_power_of_ten(&half, 50_002);
    let even = Rational::parse(&format!("{}.{}2", "1".repeat(50_000), "0".repeat(50_000)))
        .expect("a decimal");
    assert_canonical_power_of_ten(&even, 50_001);
}

/// The denominator divides `10^places`, and the fraction is reduced: not both parts even, nor both
/// divisible by 5.
fn assert_canonical_power_of_ten(value: &Rational, places: u32) {
    let (num, den) = (value.numer(), value.denom());
    assert!((BigInt::from(10).pow(places) % &den).is_zero());
    for prime in [2_u32, 5] {
        assert!(
            !(&num % prime).is_zero() || !(&den % prime).is_zero(),
            "both parts are divisible by {prime}"
        );
    }
}

#[test]
fn a_decimal_divisible_by_a_high_power_of_five() {
    for exponent in [1_u32, 2, 3, 20, 27, 28, 63, 64, 1000] {
        let digits = BigInt::from(5).pow(exponent).to_string();
        for places in [1, 5, exponent as usize, exponent as usize + 7] {
            let text = format!(
                "0.{}{digits}",
                "0".repeat(places.saturating_sub(digits.len()))
            );
            let places = u32::try_from(text.len() - 2).expect("short");
            let expected =
                BigRational::new(BigInt::from(5).pow(exponent), BigInt::from(10).pow(places));
            let read = Rational::parse(&text).expect("a decimal");
            assert_eq!(BigRational::from(&read), expected, "{text}");
            assert_canonical(&read);
        }
    }
}

#[test]
fn a_rational_is_two_words() {
    assert_eq!(size_of::<Rational>(), 16);
}

#[test]
fn division_by_zero() {
    assert_eq!(Rational::one().checked_div(&Rational::zero()), None);
    assert_eq!(
        Rational::one().checked_div(&Rational::from(2)),
        Some(Rational::new(1, 2))
    );
    assert!(std::panic::catch_unwind(|| Rational::one() / Rational::zero()).is_err());
    assert!(std::panic::catch_unwind(|| Rational::new(1, 0)).is_err());
}

/// Integers of 64 bits that are often at a place where something overflows.
fn word() -> impl Strategy<Value = i64> {
    let corner = (
        prop::sample::select(vec![0, 31, 32, 62, 63]),
        -2..=2_i64,
        any::<bool>(),
    );
    let near_a_power = corner.prop_map(|(shift, offset, negative)| {
        let power = 1_i64.wrapping_shl(shift).wrapping_add(offset);
        if negative {
            power.wrapping_neg()
        } else {
            power
        }
    });
    prop_oneof![3 => near_a_power, 3 => -12..=12_i64, 1 => any::<i64>()]
}

fn big_int() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        6 => word().prop_map(BigInt::from),
        1 => any::<i128>().prop_map(BigInt::from),
        1 => (word(), word()).prop_map(|(a, b)| BigInt::from(a) * b),
    ]
}

fn fraction() -> impl Strategy<Value = BigRational> {
    let any_sign = (big_int(), big_int()).prop_map(|(num, den)| {
        BigRational::new(num, if den.is_zero() { BigInt::one() } else { den })
    });
    prop_oneof![any_sign, big_int().prop_map(BigRational::from_integer)]
}

/// The number computed is the number expected, canonically.
fn same(computed: &Rational, expected: &BigRational) {
    assert_eq!(&BigRational::from(computed), expected);
    assert_canonical(computed);
}

proptest! {
    #![proptest_config(crate::harness::cases(4000))]

    #[test]
    fn agrees_with_big_rational(x in fraction(), y in fraction(), z in fraction()) {
        let (a, b, c) = (Rational::from(x.clone()), Rational::from(y.clone()), Rational::from(z.clone()));
        same(&a, &x);
        same(&(&a + &b), &(&x + &y));
        same(&(&a - &b), &(&x - &y));
        same(&(&a * &b), &(&x * &y));
        same(&-&a, &-&x);
        same(&a.abs(), &x.abs());
        same(&a.floor(), &x.floor());
        same(&a.ceil(), &x.ceil());
        let mut sum = a.clone();
        sum.add_mul(&b, &c);
        same(&sum, &(&x + &y * &z));
        sum.sub_mul(&b, &c);
        same(&sum, &x);
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.signum(), if x.is_zero() { 0 } else if x.is_negative() { -1 } else { 1 });
        prop_assert_eq!(a.is_integer(), x.is_integer());
        prop_assert_eq!(a.is_one(), x.is_one());
        prop_assert_eq!(a.to_string(), x.to_string());
        prop_assert_eq!(a.cmp(&a.clone()), Ordering::Equal);
        if !y.is_zero() {
            same(&(&a / &b), &(&x / &y));
            same(&b.recip(), &y.recip());
            let (q, r) = (a.div_euclid(&b), a.mod_euclid(&b));
            assert_canonical(&q);
            assert_canonical(&r);
            prop_assert!(q.is_integer() && !r.is_negative() && r < b.abs());
            prop_assert_eq!(&q * &b + &r, a.clone());
        }
    }

    #[test]
    fn greatest_divisors_divide(x in fraction(), y in fraction()) {
        let (a, b) = (Rational::from(x.clone()), Rational::from(y.clone()));
        let (g, m) = (a.gcd(&b), a.lcm(&b));
        assert_canonical(&g);
        assert_canonical(&m);
        prop_assert!(!g.is_negative() && !m.is_negative());
        prop_assert!(a.is_divisible_by(&g) && b.is_divisible_by(&g));
        // That g·m = |a·b| makes the two greatest and least.
        prop_assert_eq!(&g * &m, (&a * &b).abs());
        if !a.is_zero() && !b.is_zero() {
            prop_assert!(m.is_divisible_by(&a) && m.is_divisible_by(&b));
            prop_assert!((&a / &g).gcd(&(&b / &g)).is_one());
        }
    }

    #[test]
    fn integers_agree_with_big_int(x in word(), y in word()) {
        let (a, b) = (Rational::from(x), Rational::from(y));
        prop_assert_eq!(a.gcd(&b).to_integer(), Some(BigInt::from(x).gcd(&BigInt::from(y))));
        prop_assert_eq!(a.lcm(&b).to_integer(), Some(BigInt::from(x).lcm(&BigInt::from(y))));
        prop_assert_eq!(a.to_i64(), Some(x));
        if y != 0 {
            let (wide_x, wide_y) = (i128::from(x), i128::from(y));
            prop_assert_eq!(a.div_euclid(&b).to_integer(), Some(wide_x.div_euclid(wide_y).into()));
            prop_assert_eq!(a.mod_euclid(&b).to_integer(), Some(wide_x.rem_euclid(wide_y).into()));
            prop_assert_eq!(Rational::new(x, y), Rational::from_big_parts(x.into(), y.into()));
        }
    }

    #[test]
    fn literals_agree_with_big_int(whole in "[0-9]{1,40}", fraction in "[0-9]{0,40}", zeros in 0..1200_usize) {
        let whole = whole + &"0".repeat(zeros);
        let text = if fraction.is_empty() { whole.clone() } else { format!("{whole}.{fraction}") };
        let digits = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10).expect("digits");
        let power = BigInt::from(10).pow(u32::try_from(fraction.len()).expect("short"));
        same(&Rational::parse(&text).expect("a literal"), &BigRational::new(digits, power));
    }

    #[test]
    fn delta_rationals_are_ordered_as_for_small_delta(x in fraction(), dx in word(), y in fraction(), dy in word()) {
        let a = DeltaRational::new(Rational::from(x), Rational::from(dx));
        let b = DeltaRational::new(Rational::from(y), Rational::from(dy));
        let (low, high) = if a <= b { (&a, &b) } else { (&b, &a) };
        let epsilon = low.epsilon_bound(high).unwrap_or(Rational::one());
        prop_assert!(epsilon.is_positive() && low.at(&epsilon) <= high.at(&epsilon));
        let half = epsilon * Rational::new(1, 2);
        prop_assert_eq!(low.at(&half).cmp(&high.at(&half)), low.cmp(high));
        prop_assert_eq!((&a - &b).signum(), a.cmp(&b) as i32);
        prop_assert_eq!(&(&a + &b) - &b, a.clone());
        let mut sum = a.clone();
        sum.add_mul(&b.real, &b);
        prop_assert_eq!(sum, &a + &(&b * &b.real));
        let (floor, ceil) = (DeltaRational::from(a.floor()), DeltaRational::from(a.ceil()));
        prop_assert!(floor <= a && a <= ceil && ceil.real - floor.real <= Rational::one());
    }
}

#[test]
fn delta_rationals_print() {
    let two = Rational::from(2);
    for (value, expected) in [
        (DeltaRational::from(two.clone()), "2"),
        (DeltaRational::just_above(two.clone()), "2 + 1·δ"),
        (DeltaRational::just_below(two.clone()), "2 - 1·δ"),
        (-&DeltaRational::just_below(two.clone()), "-2 + 1·δ"),
        (&DeltaRational::just_below(two.clone()) / &two, "1 - 1/2·δ"),
    ] {
        assert_eq!(value.to_string(), expected);
    }
    assert_eq!(
        DeltaRational::just_below(two.clone()).floor(),
        Rational::one()
    );
    assert_eq!(DeltaRational::just_below(two.clone()).ceil(), two);
}
