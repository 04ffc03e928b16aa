/** Which programs need no rule because they only look, one row each: the options they may have, and what their words are. What is not in the row is asked about. */
import type { OptionTable, ReadOptions } from './options.ts';

/** How a program goes through folders. */
export interface Traversal {
	/** It reads all that lies below a folder: always, or with one of these options. */
	readonly through?: true | readonly string[];
	/** With one of these it prints names only. */
	readonly throughUnless?: readonly string[];
	/** It leaves out names that begin with a dot, unless it has one of these. */
	readonly visibleUnless?: readonly string[];
	/** Options whose patterns choose files by their names. */
	readonly only?: readonly string[];
}

export interface LookProgram extends OptionTable, Traversal {
	/** Files that are read; a text first and files after it; texts; nothing; or texts of a certain form. */
	readonly words: 'files' | 'after-first' | 'texts' | 'none' | RegExp;
	/** Options that give the text which else is the first word. */
	readonly instead?: readonly string[];
	/** Without a file it reads the folder it runs in: always, or with one of these options. */
	readonly here?: true | readonly string[];
	/** It goes through links inside a folder, unless it has this option. */
	readonly followsUnless?: string;
	readonly test?: (read: ReadOptions) => boolean;
}

const none: LookProgram = { words: 'none' };
const checksum: LookProgram = { words: 'files', short: 'btz', long: 'binary tag text zero' };
const grep: LookProgram = {
	words: 'after-first',
	short: 'EFGPivwxycnlLqsohHbzUZaITur eABCmdD= f<',
	long: 'extended-regexp fixed-strings basic-regexp perl-regexp regexp= file< ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive include= exclude= exclude-from< exclude-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= color? colour? binary',
	digits: true,
	instead: ['e', 'f', 'regexp', 'file'],
	here: ['r', 'recursive', 'd', 'directories'],
	through: ['r', 'R', 'recursive', 'dereference-recursive', 'd', 'directories'],
	only: ['include'],
};

/**
 * Options that mean something else on another system are left out, or taken for what makes more words files: `ls -T` has a value on Linux
 * and none on macOS. Left out as well is what writes, runs something, follows links below folders, or reads lists of names (`wc --files0-from`, `md5sum -c`).
 */
export const lookPrograms: { readonly [name: string]: LookProgram } = {
	ls: {
		words: 'files',
		short: '1aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ',
		long: 'all almost-all author escape block-size= ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group human-readable si hide= hyperlink? indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero',
		here: true,
	},
	cat: {
		words: 'files',
		short: 'AbeEnstTuv',
		long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
	},
	head: { words: 'files', short: 'qvz nc=', long: 'lines= bytes= quiet silent verbose zero-terminated', digits: true },
	tail: {
		words: 'files',
		short: 'fFqrvz ncs=',
		long: 'lines= bytes= follow? quiet silent verbose zero-terminated retry sleep-interval= pid= max-unchanged-stats=',
		digits: true,
	},
	wc: { words: 'files', short: 'clmwL', long: 'bytes chars lines words max-line-length total=' },
	nl: {
		words: 'files',
		short: 'p bdfhilnsvw=',
		long: 'body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= number-format= no-renumber number-separator= starting-line-number= number-width=',
	},
	cut: {
		words: 'files',
		short: 'nsz bcdf=',
		long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated',
	},
	paste: { words: 'files', short: 'sz d=', long: 'delimiters= serial zero-terminated' },
	column: {
		words: 'files',
		short: 'tx csoN=',
		long: 'table separator= output-separator= columns= output-width= table-columns= fillrows',
	},
	stat: { words: 'files', short: 'fLnqrstx c=', long: 'dereference file-system format= printf= terse cached=' },
	du: {
		words: 'files',
		short: '0abcDhHklmPsSx dBt= X<',
		long: 'all apparent-size block-size= bytes total dereference-args max-depth= human-readable inodes count-links no-dereference separate-dirs si summarize threshold= time? time-style= exclude= one-file-system null exclude-from<',
		here: true,
	},
	df: {
		words: 'files',
		short: 'aghHiklmPT',
		long: 'all block-size= human-readable si inodes local no-sync output? portability total print-type type= exclude-type=',
	},
	diff: {
		words: 'files',
		short: 'abBcdeEinNpPqrstTuvwyZ UCWFxISL= X<',
		long: 'normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from< starting-file= from-file< to-file< ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= minimal horizon-lines= speed-large-files color? palette=',
		digits: true,
		followsUnless: 'no-dereference',
		through: ['r', 'recursive'],
	},
	cmp: { words: 'files', short: 'bls in=', long: 'print-bytes ignore-initial= bytes= verbose quiet silent' },
	md5sum: checksum,
	sha256sum: checksum,
	base64: { words: 'files', short: 'dD bw=', long: 'decode ignore-garbage wrap=' },
	hexdump: { words: 'files', short: 'bcCdovx ens= f<', long: 'canonical no-squeezing length= skip= format=' },
	od: {
		words: 'files',
		short: 'abcdfhilosvx AjNtS= w?',
		long: 'address-radix= skip-bytes= read-bytes= strings? format= output-duplicates width? endian=',
	},
	strings: {
		words: 'files',
		short: 'afow nte=',
		long: 'all print-file-name bytes= radix= encoding= include-all-whitespace',
		digits: true,
		test: ({ words, options }) =>
			![...words, ...options.map(({ value }) => value)].some((word) => word?.value?.startsWith('@')),
	},
	basename: { words: 'texts', short: 'az s=', long: 'multiple suffix= zero' },
	dirname: { words: 'texts', short: 'z', long: 'zero' },
	realpath: {
		words: 'files',
		short: 'eEmLPqsz',
		long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks relative-to< relative-base< zero',
	},
	readlink: {
		words: 'files',
		short: 'femnqsvz',
		long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero',
	},
	tac: { words: 'files', short: 'br s=', long: 'before regex separator=' },
	rev: { words: 'files' },
	tr: { words: 'texts', short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' },
	fold: { words: 'files', short: 'bs w=', long: 'bytes spaces width=', digits: true },
	sort: {
		words: 'files',
		short: 'bcCdfghimMnrRsuVz kSt=',
		long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort random-source< reverse sort= version-sort batch-size= check? debug key= merge stable buffer-size= field-separator= parallel= unique zero-terminated',
	},
	uniq: {
		words: 'none',
		short: 'cdDiuz fsw=',
		long: 'count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars=',
	},
	file: {
		words: 'files',
		short: '0bhiIkLNnrsv F=',
		long: 'brief mime mime-type mime-encoding dereference no-dereference keep-going no-pad raw no-buffer print0 extension separator=',
	},
	grep,
	egrep: grep,
	rg: {
		words: 'after-first',
		short: 'abcFhHiIlnNopPqsSuUvVwx0. ABCdegjmMrtTE= f<',
		long: 'regexp= file< after-context= before-context= context= binary block-buffered byte-offset case-sensitive color= colors= column context-separator= count count-matches crlf debug encoding= engine= field-context-separator= field-match-separator= files files-with-matches files-without-match fixed-strings glob= glob-case-insensitive heading hidden iglob= ignore-case ignore-file< ignore-file-case-insensitive include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-follow no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-unicode null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regex-size-limit= replace= smart-case sort= sortr= stats stop-on-nonmatch text threads= trace trim type= type-add= type-clear= type-list type-not= unrestricted vimgrep with-filename word-regexp',
		instead: ['e', 'f', 'regexp', 'file', 'files', 'type-list'],
		here: true,
		through: true,
		throughUnless: ['files', 'type-list'],
		visibleUnless: ['.', 'hidden', 'u', 'unrestricted'],
		only: ['g', 'glob'],
	},
	tree: {
		words: 'files',
		short: 'aAcCdDfFghiJnNpqQrsStuUvxX LPI=',
		long: 'dirsfirst filesfirst noreport prune gitignore du si inodes device matchdirs metafirst ignore-case nolinks filelimit= sort= charset= timefmt=',
		here: true,
	},
	date: {
		words: /^\+/,
		short: 'uR d= r< I?',
		long: 'date= reference< iso-8601? rfc-3339= rfc-email utc universal debug',
	},
	seq: { words: 'texts', short: 'w fs=', long: 'format= separator= equal-width', digits: true },
	sleep: { words: /^\d+(\.\d+)?[smhd]?$/ },
	pwd: none,
	whoami: none,
	arch: none,
	nproc: { words: 'none', long: 'all ignore=' },
	uptime: { words: 'none', short: 'ps', long: 'pretty since' },
	free: { words: 'none', short: 'bghklmtvw', long: 'bytes kilo mega giga human lohi si total wide' },
	uname: {
		words: 'none',
		short: 'aimnoprsv',
		long: 'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system',
	},
	hostname: { words: 'none', short: 'aAdfiIsy' },
	id: { words: 'texts', short: 'agGnruzZ', long: 'group groups name real user zero context' },
	groups: { words: 'texts' },
	which: { words: 'texts', short: 'as', long: 'all' },
	type: { words: 'texts', short: 'aftpP' },
	help: { words: 'texts', short: 'dms' },
	man: { words: /^[\w.+-]+$/ },
	history: { words: /^\d+$/ },
	cal: { words: /^\w+$/, short: '13hjmNsyw', long: 'one three sunday monday julian year week' },
	locale: { words: /^[\w-]+$/, short: 'acmk', long: 'all-locales charmaps category-name keyword-name' },
	netstat: { words: /^[\w.]+$/, short: '46aceginloprstuvW' },
	ss: { words: 'none', short: 'alntuxpeimors46H' },
	lsof: { words: /^:?[\w.,:-]+$/, short: 'alnPt pu= i?' },
	pgrep: {
		words: 'texts',
		short: 'acfilnovwx dPgGstuU=',
		long: 'full list-name list-full exact newest oldest count ignore-case inverse delimiter= parent= pgroup= group= session= terminal= euid= uid=',
	},
	cd: { words: 'files', short: 'LPe@', test: ({ words }) => words.length < 2 },
	jq: {
		words: 'after-first',
		short: 'acCejMnrsS',
		long: 'raw-output compact-output sort-keys slurp null-input tab exit-status monochrome-output color-output ascii-output join-output',
		test: ({ words }) =>
			words.every((word, at) => (at > 0 && word.glob === undefined) || isPlainFilter(word.value ?? '')),
	},
	xargs: {
		words: 'texts',
		endsAtWord: true,
		test: ({ words, options }) => options.length === 0 && words[0]?.value === 'echo',
	},
};

/** A filter can print the environment and load other files. Which of the names that a pattern stands for comes first, the shell decides. */
function isPlainFilter(filter: string): boolean {
	return !/^-|\b(env|ENV|import|include|input|inputs|input_filename|modulemeta|get_search_list)\b/.test(filter);
}
