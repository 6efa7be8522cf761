import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { dependencies, devDependencies } from '../package.json'
import { root } from './run.mjs'

it('package.json lists the packages that building the pages needs as production dependencies', () => {
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(['@types/node', '@types/react', 'esbuild', 'typescript']),
  )
})

describe('the project', () => {
  const inProduct =
    'next @trpc/server @trpc/client trpc-openapi react @tanstack/react-query kysely pg formidable sshpk'.split(
      ' ',
    )
  const imported: Record<'product' | 'tests', Set<string>> = { product: new Set(), tests: new Set() }
  beforeAll(async () => {
    for (const folder of ['app', 'server', 'db', 'proto', 'testing', 'e2e']) await readFolder(folder)
  })

  async function readFolder(folder: string): Promise<void> {
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.(?:tsx?|mjs)$/.test(path)) continue
      const isTest =
        /^(?:testing|e2e)$/.test(folder) || /\.test\.tsx?$|(?:^|\/)(?:testing|contract)\//.test(path)
      const packages = packagesOf(await readFile(join(root, folder, path), 'utf8'))
      for (const name of packages) imported[isTest ? 'tests' : 'product'].add(name)
    }
  }

  it.each(inProduct)('has %s as a production dependency and imports it in production code', name => {
    expect(dependencies).toHaveProperty([name])
    expect(imported.product).toContain(name)
  })

  it('has Playwright as a development dependency and imports it in tests', () => {
    expect(devDependencies).toHaveProperty('playwright')
    expect(imported.tests).toContain('playwright')
  })

  it.each('package.json next.config.mjs tsconfig.json app server db proto e2e public'.split(' '))(
    'has %s at its root',
    path => {
      expect(existsSync(join(root, path))).toBe(true)
    },
  )
})

// Returns the packages that a source file imports, except imports of types only.
function packagesOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm)
  const calls = source.matchAll(/\bimport\('([^']+)'\)/g)
  return [...statements, ...calls].map(([, path]) => /^(?:@[^/]+\/)?[^/]+/.exec(path!)![0])
}
