// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// A bank that pays before it writes down that it has paid: who is called may call back.
contract Bank {
    mapping(address => uint) balances;
    uint total;
    bool locked;

    function deposit() external payable {
        require(!locked);
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    /// Nobody can change the balance while the receiver runs.
    function withdraw() external {
        require(!locked);
        locked = true;
        uint amount = balances[msg.sender];
        require(amount <= total);
        uint before = total;
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid);
        assert(total == before);
        balances[msg.sender] = 0;
        total -= amount;
        locked = false;
    }

    /// The same without the lock.
    function withdrawUnlocked() external {
        require(!locked);
        uint amount = balances[msg.sender];
        require(amount <= total);
        uint before = total;
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid);
        assert(total == before);
        balances[msg.sender] = 0;
        total -= amount;
    }
}
