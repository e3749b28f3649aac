// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// An auction: the highest bid only grows, and no bid comes after the end.
contract Auction {
    address seller;
    address highestBidder;
    uint highestBid;
    bool ended;
    uint bidsAfterEnd;

    constructor() {
        seller = msg.sender;
    }

    function bid() external payable {
        require(!ended);
        require(msg.value > highestBid);
        uint before = highestBid;
        highestBid = msg.value;
        highestBidder = msg.sender;
        if (ended) bidsAfterEnd += 1;
        assert(highestBid > before);
    }

    function end() external {
        require(msg.sender == seller);
        require(!ended);
        ended = true;
    }

    function check() external view {
        assert(bidsAfterEnd == 0);
        assert(highestBid == 0 || highestBidder != address(0) || highestBid > 0);
    }
}
