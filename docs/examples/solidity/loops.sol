// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// Loops over arrays.
contract Loops {
    uint[] values;

    function fill(uint length) external {
        require(values.length == 0 && length < 1000);
        for (uint i = 0; i < length; ++i) values.push(7);
        assert(values.length == length);
    }

    function largest(uint[] memory numbers) public pure returns (uint) {
        uint best = 0;
        for (uint i = 0; i < numbers.length; ++i)
            if (numbers[i] > best) best = numbers[i];
        assert(numbers.length == 0 || best >= 0);
        return best;
    }

    function count(uint length) external pure {
        require(length < 50);
        uint steps = 0;
        for (uint i = 0; i < length; ++i) steps += 2;
        assert(steps == 2 * length);
        assert(steps != 6);
    }
}
