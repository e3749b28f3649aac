//! Numbers that look random, and are the same in every run: a part of SplitMix64 \[SLF14\].

/// The odd number next to 2⁶⁴ divided by the golden ratio: multiples of it are spread evenly.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Another number for each number, which looks random: the finaliser of SplitMix64.
pub fn scrambled(number: u64) -> u64 {
    let mut x = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_the_seed_0() {
        // As the reference implementation gives them.
        let numbers = [1_u64, 2, 3].map(|n| scrambled(n.wrapping_mul(GOLDEN)));
        let expected = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
        ];
        assert_eq!(numbers, expected);
    }
}
