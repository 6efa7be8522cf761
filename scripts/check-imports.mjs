import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config, { rulesFor } from '../.dependency-cruiser.mjs'
import { root } from './run.mjs'

// Under a compiler it does not know, the cruiser finds no module at all and calls that clean.
const minModules = 150
const notOurs = /^(\..*|node_modules|dist|data|cache|coverage|public|docs|test-results)$/

/**
 * Reads the imports of all modules below `directory` and holds them against the rules of .dependency-cruiser.mjs.
 * @param {string} directory
 * @returns {Promise<{ modules: number, violations: string[] }>}
 */
export async function checkImports(directory) {
  const { output } = await cruise(
    await foldersIn(directory),
    {
      ...config.options,
      baseDir: directory,
      ruleSet: {
        forbidden: rulesFor(
          await foldersIn(`${directory}/server`),
          await foldersIn(`${directory}/app/_features`),
        ),
      },
      validate: true,
    },
    undefined,
    { tsConfig: extractTSConfig(`${directory}/tsconfig.json`) },
  )
  const { violations, totalCruised } = output.summary
  return {
    modules: totalCruised,
    violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} uses ${to}`),
  }
}

async function foldersIn(directory) {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isDirectory() && !notOurs.test(entry.name)).map(entry => entry.name)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.chdir(root)
  const { modules, violations } = await checkImports(root)
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  if (modules < minModules) process.stderr.write(`only ${modules} modules were found\n`)
  else process.stdout.write(`imports: ${modules} modules, ${violations.length} against the rules\n`)
  process.exit(violations.length > 0 || modules < minModules ? 1 : 0)
}
