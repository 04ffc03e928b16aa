// Indexes the sessions that stdin lists, for agreement.test.ts to kill at any moment: `node agreement.child.mjs CATALOG`.
import { readFileSync } from 'node:fs';
import { diskAccess } from '../../../test/support/catalog.ts';
import { loadPrices } from '../cost/prices.ts';
import { Catalog } from './catalog.ts';

const [path = ''] = process.argv.slice(2);
const sessions = JSON.parse(readFileSync(0, 'utf8'));
const catalog = new Catalog({ path, access: diskAccess, warn: (message) => console.error(message) });
const prices = loadPrices();
process.stdout.write('ready\n');
catalog.list(sessions);
catalog.index(sessions, prices);
