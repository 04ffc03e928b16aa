/** Which addresses belong to the public network. Everything else is this machine, its neighbours, or nobody. */
import { BlockList, isIP } from 'node:net';

const notPublic = new BlockList();
for (const [network, bits] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10], // carriers' own
	['127.0.0.0', 8],
	['169.254.0.0', 16], // clouds tell their secrets here
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3],
] as const)
	notPublic.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
	['2001::', 23], // tunnels, and what is kept for protocols
	['2001:db8::', 32],
	['2002::', 16], // an IPv4 address in disguise
] as const)
	notPublic.addSubnet(network, bits, 'ipv6');

/** Of the newer kind only what is given out to the public begins like this. */
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
	const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
	switch (isIP(plain)) {
		case 4:
			return !notPublic.check(plain, 'ipv4');
		case 6:
			return givenOut.check(plain, 'ipv6') && !notPublic.check(plain, 'ipv6');
		default:
			return false;
	}
}
