/** Programs that write files, and readers that need a rule, one row each: which of their arguments are files. */
import { lookPrograms, type Traversal } from './look-programs.ts';
import type { OptionTable } from './options.ts';

export type Which = 'all' | 'first' | 'second' | 'after-first' | 'last' | 'before-last';

export interface FileProgram extends OptionTable, Traversal {
	/** Which of its words are files. */
	readonly reads?: Which;
	readonly writes?: Which;
	/** With one of these options every word is written. */
	readonly all?: readonly string[];
	/** With one of these it writes nothing. */
	readonly printsWith?: readonly string[];
	/** Options that take the place of the first word. */
	readonly instead?: readonly string[];
	/** The last word, or the value of an option, may be a folder in which the others get names. */
	readonly copies?: true;
	/** What lies below its words is changed too: always, or with one of these options. */
	readonly tree?: true;
	readonly treeWith?: readonly string[];
}

const remembers = { instead: ['reference'], treeWith: ['R', 'recursive'], writes: 'after-first' } as const;
const packs: FileProgram = {
	reads: 'all',
	writes: 'all',
	printsWith: ['c', 'l', 't', 'stdout', 'to-stdout', 'list', 'test'],
	short: '123456789cdfhklLnNqrtvVz SbT=',
	long: 'stdout to-stdout list test keep force decompress recursive verbose quiet',
	through: ['r', 'recursive'],
};
const shows: FileProgram = { reads: 'all' };
const edits: FileProgram = { reads: 'all', writes: 'all', short: 'EeNnRsyZ cSTuUW=' };

export const filePrograms: { readonly [name: string]: FileProgram } = {
	touch: { writes: 'all', short: 'acfhm dtA= r<', long: 'no-create date= reference< time= no-dereference' },
	mkdir: { writes: 'all', short: 'pv m= Z?', long: 'parents verbose mode= context?' },
	rm: {
		writes: 'all',
		short: 'dfiIPrRvWx',
		long: 'force recursive verbose dir interactive?',
		treeWith: ['r', 'R', 'recursive'],
	},
	rmdir: { writes: 'all', short: 'pv', long: 'parents verbose' },
	unlink: { writes: 'all' },
	tee: { writes: 'all', short: 'aip', long: 'append output-error?' },
	sponge: { writes: 'all', short: 'a' },
	truncate: { writes: 'all', short: 'co s= r<', long: 'no-create io-blocks reference< size=' },
	shred: { writes: 'all', short: 'fuvxz ns=', long: 'force iterations= size= remove? random-source< verbose zero' },
	mkfifo: { writes: 'all', short: 'm= Z?', long: 'mode= context?' },
	mknod: { writes: 'first', short: 'm= Z?', long: 'mode= context?' },
	mktemp: { writes: 'all', short: 'duqtV p/', long: 'directory dry-run quiet suffix= tmpdir?' },
	chmod: {
		...remembers,
		short: 'cfhHLPRv',
		long: 'changes silent quiet verbose recursive reference< preserve-root no-preserve-root',
	},
	chown: {
		...remembers,
		short: 'cfhHLPRvx',
		long: 'changes silent quiet verbose recursive reference< from= dereference no-dereference',
	},
	chgrp: {
		...remembers,
		short: 'cfhHLPRvx',
		long: 'changes silent quiet verbose recursive reference< dereference no-dereference',
	},
	mv: {
		reads: 'before-last',
		writes: 'all',
		copies: true,
		tree: true,
		through: true,
		short: 'bfhinTuvZ S= t/',
		long: 'target-directory/ no-target-directory suffix= backup? force interactive no-clobber update? verbose strip-trailing-slashes',
	},
	cp: {
		reads: 'before-last',
		writes: 'last',
		copies: true,
		through: ['a', 'r', 'R', 'archive', 'recursive'],
		short: 'abcdfHiLlnNpPrRsTuvxXZ S= t/',
		long: 'target-directory/ suffix= archive attributes-only backup? copy-contents force interactive link dereference no-clobber no-dereference preserve? no-preserve= parents recursive reflink? remove-destination sparse= strip-trailing-slashes symbolic-link no-target-directory update? verbose one-file-system',
	},
	ln: {
		reads: 'before-last',
		writes: 'last',
		copies: true,
		short: 'bdfFhiLnPrsTvw S= t/',
		long: 'target-directory/ suffix= backup? directory force interactive logical no-dereference physical relative symbolic no-target-directory verbose',
	},
	install: {
		reads: 'before-last',
		writes: 'last',
		copies: true,
		all: ['d', 'directory'],
		short: 'bcCdDpsTUv BfgmoS= t/',
		long: 'target-directory/ mode= owner= group= suffix= directory backup? compare strip strip-program= preserve-timestamps no-target-directory verbose',
	},
	rsync: {
		reads: 'before-last',
		writes: 'last',
		copies: true,
		through: ['a', 'r', 'archive', 'recursive'],
		short: '0146aAbcCdDEFgHhiIJkKlLmnoOpPqrRsStuUvWxXyz BefM= T/',
		long: 'rsh= exclude= include= filter= files-from< exclude-from< include-from< log-file> backup-dir/ partial-dir/ temp-dir/ compare-dest= copy-dest= link-dest= chmod= chown= suffix= bwlimit= timeout= delete progress archive recursive',
	},
	scp: { reads: 'before-last', writes: 'last', copies: true, through: ['r'], short: '346ABCOpqRrTv DFiJcloPSX=' },
	patch: {
		writes: 'first',
		reads: 'second',
		short: 'bceEflNnRstTuvZ dpDFgVxYzB= i< or>',
		long: 'strip= input< output> reject-file> directory= dry-run forward reverse backup',
	},
	split: {
		reads: 'first',
		writes: 'second',
		short: 'dexuz abClnt=',
		digits: true,
		long: 'bytes= lines= number= suffix-length= filter=',
	},
	csplit: { reads: 'first', short: 'kqsz bn= f>', long: 'prefix> suffix-format= digits= keep-files quiet silent' },
	unzip: { reads: 'first', short: 'aAbcCDfhjlLMnopqtTuUvVXzZ: Px= d/' },
	zip: { reads: 'after-first', writes: 'first', through: ['r'], short: '0123456789@ADeFfgjJklmqrSTuvXyz bnxiPtO=' },
	gzip: packs,
	gunzip: packs,
	bzip2: packs,
	bunzip2: packs,
	xz: packs,
	unxz: packs,
	zstd: packs,
	...Object.fromEntries(
		'comm iconv fmt pr expand unexpand shuf tsort ptx zcat bzcat xzcat sha1sum sha512sum less more bat'
			.split(' ')
			.map((name) => [name, shows]),
	),
	...Object.fromEntries('vim vi ex nano emacs'.split(' ').map((name) => [name, edits])),
	look: { reads: 'second' },
	xxd: { reads: 'first', writes: 'second', short: 'abCdeEipru cgloRs=' },
	fgrep: { ...lookPrograms.grep, reads: 'after-first' },
	awk: { reads: 'after-first', short: 'Fv= f<', instead: ['f'] },
	gawk: { reads: 'after-first', short: 'Fv= f<', instead: ['f'] },
	mawk: { reads: 'after-first', short: 'Fv= f<', instead: ['f'] },
};

/** What programs that only look can do beside that: nobody gets it without a rule, but the files it names are known. */
export const moreOptions: { readonly [name: string]: OptionTable } = {
	sort: { short: 'o> T/', long: 'output> temporary-directory/ compress-program= files0-from<' },
	tree: { short: 'o> HT=', long: 'output> fromfile' },
	base64: { short: 'o> i<', long: 'output> input<' },
	wc: { long: 'files0-from<' },
	du: { long: 'files0-from<', short: 'L' },
	grep: { short: 'R', long: 'dereference-recursive' },
	egrep: { short: 'R', long: 'dereference-recursive' },
	rg: { short: 'Lz', long: 'follow search-zip pre= pre-glob=' },
	file: { short: 'f< m= Cczp', long: 'files-from< magic-file=' },
	jq: { short: 'f<', long: 'from-file<' },
	date: { short: 'f< s=', long: 'file< set=' },
	md5sum: { short: 'c', long: 'check' },
	sha256sum: { short: 'c', long: 'check' },
	xargs: {
		short: '0oprtx a< EILPdns= eil?',
		long: 'arg-file< null no-run-if-empty max-args= max-procs= delimiter= replace? verbose',
	},
};
