import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { repositoryPath } from '@/server/repos/storage'
import { useBareRepository } from '@/server/repos/storage/testing/bare-repository'
import { gitOk } from '@/testing/git'
import { comparedPatchArguments, diffArguments, patchArguments } from './raw-text'
import { commitFiles } from './testing/commit-files'

const bare = useBareRepository({ isEmpty: true })

const names = ['a.txt', 'b c.txt', '"tab\\tquote\\""']

async function twoCommits(): Promise<[root: string, first: string, second: string]> {
  const root = await commitFiles(bare, Object.fromEntries(names.map(name => [name, 'one\ntwo\nthree\n'])))
  const first = await commitFiles(bare, { 'a.txt': 'one\n2\nthree', 'b c.txt': null, new: 'x\n' }, [root])
  return [root, first, await commitFiles(bare, { '"tab\\tquote\\""': 'one\n' }, [first])]
}

/** Applies a text to the files of a commit, and returns the ID of the resulting tree. */
async function applied(commit: string, diff: string): Promise<string> {
  await bare.inside(['read-tree', commit])
  // `inside` trims the text.
  await bare.inside(['apply', '--cached', '-'], `${diff}\n`)
  return await bare.inside(['write-tree'])
}

const treeOf = (commit: string) => bare.inside(['rev-parse', `${commit}^{tree}`])

it('the diff and the patch of a commit or comparison make its files when they are applied', async () => {
  const [root, first, second] = await twoCommits()
  for (const texts of [diffArguments, patchArguments]) {
    expect(await applied(root, await bare.inside(texts(first, root)))).toBe(await treeOf(first))
  }
  expect(await applied(root, await bare.inside(diffArguments(second, root)))).toBe(await treeOf(second))
  const empty = await bare.inside(['hash-object', '-t', 'tree', '-w', '--stdin'], '')
  expect(await applied(empty.trim(), await bare.inside(diffArguments(root, undefined)))).toBe(
    await treeOf(root),
  )
})

it('the diff of a commit has short IDs, and its patch has the headers of a mail', async () => {
  const [root, first, second] = await twoCommits()
  expect(await bare.inside(diffArguments(first, root))).toMatch(/^index [0-9a-f]{7}\.\.[0-9a-f]{7} 100644$/m)
  const patch = await bare.inside(patchArguments(first, root))
  expect(patch).toMatch(/^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\nFrom: Jo <jo@example\.test>\n/)
  const patches = await bare.inside(comparedPatchArguments(root, second))
  expect(patches.match(/^From [0-9a-f]{40} /gm)).toHaveLength(2)
  expect(await bare.inside(patchArguments(root, undefined))).toContain('Subject: [PATCH]')
})

it('git am makes the commits of a comparison from its patch', async () => {
  const [root, , second] = await twoCommits()
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-am-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const path = repositoryPath(bare.ctx.config, bare.key)
  await gitOk(['clone', '--quiet', '--no-checkout', path, '.'], { cwd })
  await gitOk(['checkout', '--quiet', '--detach', root], { cwd })
  await gitOk(['am', '--quiet'], {
    cwd,
    input: `${await bare.inside(comparedPatchArguments(root, second))}\n`,
  })
  expect(await gitOk(['rev-parse', 'HEAD^{tree}'], { cwd })).toBe(await treeOf(second))
})

it('the patch of a merge has the commits that it brought', async () => {
  const [root, first] = await twoCommits()
  const side = await commitFiles(bare, { side: 'x\n' }, [root])
  const merge = await commitFiles(bare, { side: 'x\n' }, [first, side])
  expect(await bare.inside(patchArguments(merge, first))).toContain(`From ${side} `)
})
