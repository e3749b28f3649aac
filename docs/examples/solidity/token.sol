// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// A token of two accounts: what they have is what there is.
contract Token {
    uint public supply;
    uint first;
    uint second;

    constructor(uint amount) {
        supply = amount;
        first = amount;
    }

    function toSecond(uint amount) external {
        require(amount <= first);
        first -= amount;
        second += amount;
        assert(first + second == supply);
    }

    function toFirst(uint amount) external {
        require(amount <= second);
        second -= amount;
        first += amount;
        assert(first + second == supply);
    }

    function burn(uint amount) external {
        require(amount <= first);
        first -= amount;
        supply -= amount;
    }

    /// A mistake: the second account may have more.
    function richest() external view returns (uint) {
        assert(first >= second);
        return first;
    }
}
