import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { curlOf, durationText, readableBody } from './request-text'

const run = promisify(execFile)

describe('curlOf', () => {
  const request = {
    method: 'POST',
    url: "http://127.0.0.1:3000/it's?a=$HOME",
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer sesame',
      'content-length': '10',
      'X-Gitea-Signature': '',
      'X-Hub-Signature-256': 'sha256=ab`id`',
    },
    payload: '@{\n  "it\'s": "$(id) \\\\ \u202e"\n}',
  }

  it('passes the request through a shell unchanged, without the Authorization header', async () => {
    const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${curlOf(request)}`])
    expect(stdout.split('\0')).toEqual([
      '-X',
      'POST',
      request.url,
      '-H',
      'Content-Type: application/json',
      '-H',
      'X-Gitea-Signature;',
      '-H',
      'X-Hub-Signature-256: sha256=ab`id`',
      '--data-raw',
      request.payload,
      '',
    ])
  })

  it('refers to a file if the body is too long for a shell', () => {
    const command = curlOf({ ...request, payload: 'x'.repeat(100_001) })
    expect(command).toMatch(/--data-binary @body$/)
  })
})

describe('readableBody', () => {
  it.each([
    ['{"a":[1]}', 'application/json', '{\n  "a": [\n    1\n  ]\n}'],
    ['payload=%7B%22a%22%3A1%7D', 'application/x-www-form-urlencoded', '{\n  "a": 1\n}'],
    ['<h1>no JSON</h1>', 'application/json', '<h1>no JSON</h1>'],
    ['', 'text/html', ''],
  ])('shows %j of type %s as %j', (body, type, text) => {
    expect(readableBody(body, type)).toEqual({ text, isCut: false })
  })

  it('cuts a body that is too long for a page', () => {
    for (const body of ['x'.repeat(3_000_000), '['.repeat(100_000), `[${'1,'.repeat(40_000)}1]`]) {
      const shown = readableBody(body, 'application/json')
      expect(shown.isCut).toBe(true)
      expect(shown.text).toHaveLength(64 * 1024)
    }
  })
})

it('durationText uses milliseconds for less than a second', () => {
  expect([0, 0.0124, 0.9, 1, 12.34].map(durationText)).toEqual(['0 ms', '12 ms', '900 ms', '1.0 s', '12.3 s'])
})
