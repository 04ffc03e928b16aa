import type { CatalogAccess } from '../../src/catalog/index/catalog.ts';
export declare const diskAccess: CatalogAccess;
/** What a catalog says, without the numbers that depend on the order of work. */
export declare function dump(path: string): object;
