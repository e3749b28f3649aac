// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// Structures in a mapping.
contract Members {
    struct Member {
        bool active;
        uint paid;
        uint level;
    }

    mapping(address => Member) members;

    function join() external payable {
        require(!members[msg.sender].active && msg.value >= 10);
        members[msg.sender] = Member(true, msg.value, 1);
        assert(members[msg.sender].level == 1);
    }

    function rise(address who) external payable {
        require(members[who].active && members[who].level < 5);
        uint before = members[who].paid;
        members[who].paid += msg.value;
        members[who].level += 1;
        assert(members[who].paid >= before);
        assert(members[who].level <= 5);
    }

    function resign() external {
        Member memory left = members[msg.sender];
        delete members[msg.sender];
        assert(members[msg.sender].level == 0);
        assert(left.level != 3);
    }
}
