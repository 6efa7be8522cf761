import { expect, it } from 'vitest'
import { readObjects } from '@/server/kernel/git/objects'
import { readerPool } from '@/server/kernel/git/readers/pool'
import { removeBareRepository, repositoryPath } from './'
import { useBareRepository } from './testing/bare-repository'

const { ctx, key, inside } = useBareRepository()

it('removeBareRepository ends the processes that read the repository, and forgets its objects', async () => {
  const repository = repositoryPath(ctx.config, key)
  const id = await inside(['rev-parse', 'main'])
  expect((await readObjects(repository, [id]))[0]?.type).toBe('commit')
  const [reader] = readerPool().idlePids().slice(-1)
  expect(reader).toBeDefined()
  await removeBareRepository(ctx.config, key)
  expect(readerPool().idlePids()).not.toContain(reader)
  await expect(readObjects(repository, [id])).rejects.toThrow('not a git repository')
})
