import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config, { rulesFor } from '../.dependency-cruiser.mjs'
import { root } from './run.mjs'

// If the installed TypeScript version is unknown to dependency-cruiser, it finds no modules and reports no
// violations.
const minModules = 150
const notOurs = /^(\..*|node_modules|dist|data|cache|coverage|public|docs|test-results)$/

/**
 * Checks the imports of all modules in a directory against the rules of `.dependency-cruiser.mjs`.
 * @param {string} directory The root of a repository.
 * @returns {Promise<{ modules: number, violations: string[] }>} The number of checked modules, and a line for
 * each violation.
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
  if (modules < minModules)
    process.stderr.write(
      `dependency-cruiser found only ${modules} modules; check that it supports the installed TypeScript version\n`,
    )
  else process.stdout.write(`checked the imports of ${modules} modules: ${violations.length} violations\n`)
  process.exit(violations.length > 0 || modules < minModules ? 1 : 0)
}
