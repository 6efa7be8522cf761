import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config from '../.dependency-cruiser.mjs'
import { root } from './run.mjs'

// Under a compiler it does not know, the cruiser finds no module at all and calls that clean.
const fewestModules = 150

process.chdir(root)
const { output } = await cruise(
  ['app', 'db', 'server', 'testing', 'e2e', 'bench', 'scripts'],
  { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
)
const { violations, totalCruised } = output.summary
for (const { rule, from, to } of violations) process.stderr.write(`${rule.name}: ${from} uses ${to}\n`)
if (totalCruised < fewestModules) process.stderr.write(`only ${totalCruised} modules were found\n`)
else process.stdout.write(`directions: ${totalCruised} modules, ${violations.length} against the rules\n`)
process.exit(violations.length > 0 || totalCruised < fewestModules ? 1 : 0)
