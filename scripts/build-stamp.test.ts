import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unlessBuilt } from './build-stamp.mjs'

let home: string
let output: string
let builds: number
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-stamp-'))
  output = join(home, 'out')
  builds = 0
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function build(): Promise<void> {
  await mkdir(output, { recursive: true })
  builds++
}

it('unlessBuilt builds once for the same sources, and again when they change', async () => {
  await unlessBuilt(output, 'one', build)
  await unlessBuilt(output, 'one', build)
  expect(builds).toBe(1)
  await unlessBuilt(output, 'two', build)
  expect(builds).toBe(2)
})

it('unlessBuilt builds again if the output was deleted', async () => {
  await unlessBuilt(output, 'one', build)
  await rm(output, { recursive: true })
  await unlessBuilt(output, 'one', build)
  expect(builds).toBe(2)
})

it('unlessBuilt builds again after a failed build, even for the sources of the last successful build', async () => {
  await unlessBuilt(output, 'one', build)
  const failing = unlessBuilt(output, 'two', async () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await unlessBuilt(output, 'one', build)
  expect(builds).toBe(2)
})
