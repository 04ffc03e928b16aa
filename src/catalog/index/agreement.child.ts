/** Indexes the sessions that stdin lists, to be killed at any moment: `node agreement.child.ts CATALOG`. */
import { readFileSync } from 'node:fs';
import { diskAccess } from '../../../test/support/catalog.ts';
import type { SessionFile } from '../cost/collect.ts';
import { loadPrices } from '../cost/prices.ts';
import { Catalog } from './catalog.ts';

const [path = ''] = process.argv.slice(2);
const sessions = JSON.parse(readFileSync(0, 'utf8')) as SessionFile[];
using catalog = new Catalog({ path, access: diskAccess, warn: (message) => console.error(message) });
const prices = await loadPrices();
process.stdout.write('ready\n');
catalog.list(sessions);
catalog.index(sessions, prices);
