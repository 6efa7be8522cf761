import { expect, it } from 'vitest'
import { eachFile, isValid, toldBy } from './files'

const file = (sha: string, document: string) => ({ path: `.gitea/workflows/${sha}.yml`, sha, document })

it('files are read one after the other, and others have their turn before each', async () => {
  const done: string[] = []
  const other = () => {
    done.push('other')
    if (done.length < 6) setImmediate(other)
  }
  setImmediate(other)
  const files = ['a', 'b', 'c'].map(sha => file(sha, ''))
  const read = async ({ sha }: { sha: string }) => {
    done.push(sha)
    return sha
  }
  expect(await eachFile(files, read)).toEqual(['a', 'b', 'c'])
  expect(done.slice(0, 6).join(' ')).toBe('other a other b other c')
})

it('what a workflow says of itself is read once for each content', () => {
  expect(toldBy(file('n1', 'name: One\non: push\n'))).toEqual({ name: 'One', events: ['push'] })
  expect(toldBy(file('n1', 'name: [not, read, again'))).toEqual({ name: 'One', events: ['push'] })
  expect(toldBy(file('n2', 'on: push\n')).name).toBe('.gitea/workflows/n2.yml')
  expect(toldBy({ path: 'long.yml', sha: 'n3' })).toEqual({ name: 'long.yml', events: null })
  expect(toldBy(file('n3', 'name: Three\non: push\n')).name).toBe('Three')
})

it('a workflow that tells what starts it can be invalid', async () => {
  const bad = file('v1', 'on: push\njobs: { build: { steps: [{ run: make }] } }\n')
  expect(toldBy(bad).events).toEqual(['push'])
  expect(await isValid(bad)).toBe(false)
  const good = 'on: push\njobs: { build: { runs-on: linux, steps: [{ run: make }] } }\n'
  expect(await isValid(file('v2', good))).toBe(true)
  expect(await isValid(file('v1', good))).toBe(false)
  expect(await isValid({ path: 'long.yml', sha: 'v3' })).toBe(false)
})
