import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  checkDownload,
  checkRaw,
  checkUpload,
  parseDownloadPath,
  parseUploadPath,
  signDownload,
  signRaw,
  signUpload,
} from './signed-path'

const config = { secretKey: 'a key of at least thirty-two characters' }
const at = (seconds: number) => ({ config, clock: { now: () => new Date(seconds * 1000) } })
const upload = { artifactId: 1, taskId: 23, expires: 1_790_000_000 }
const download = { artifactId: 12, expires: 1_790_000_000, isZip: false }

function split(url: string): [path: string, query: string] {
  const [path = '', query = ''] = url.split('?')
  return [path, query]
}

function uploadState(url: string, seconds = 1_789_000_000) {
  const [path, query] = split(url)
  const permit = parseUploadPath(path)
  return permit && checkUpload(at(seconds), permit, query)
}

function downloadState(url: string, seconds = 1_789_000_000) {
  const [path, query] = split(url)
  const permit = parseDownloadPath(path)
  return permit && checkDownload(at(seconds), permit, query)
}

describe('a signed URL', () => {
  it('is valid until the second at which it expires', () => {
    const url = signUpload(config, upload)
    expect(uploadState(url)).toBe('valid')
    expect(uploadState(url, upload.expires - 1)).toBe('valid')
    expect(uploadState(url, upload.expires)).toBe('expired')
    expect(downloadState(signDownload(config, download), download.expires - 1)).toBe('valid')
    expect(downloadState(signDownload(config, download), download.expires)).toBe('expired')
  })

  it('permits nothing else, even if the IDs concatenate to the same digits (CVE-2026-58426)', () => {
    const concatenated = (...fields: number[]) =>
      createHmac('sha256', 'key').update(fields.join('')).digest('base64url')
    expect(concatenated(1, 23, 1_790_000_000)).toBe(concatenated(12, 3, 1_790_000_000))

    const [, query] = split(signUpload(config, upload))
    for (const ids of ['12-3-1790000000', '2-23-1790000000', '1-24-1790000000', '1-23-1790000001'])
      expect(uploadState(`/-/artifacts/upload/${ids}?${query}`), ids).toBe('wrong')
    const [path, downloadQuery] = split(signDownload(config, download))
    expect(downloadState(`${path}/artifact.zip?${downloadQuery}`)).toBe('wrong')
    expect(downloadState(`/-/artifacts/download/1-21790000000?${downloadQuery}`)).toBe('wrong')
    expect(downloadState(`/-/artifacts/download/1-1790000000?${query}`)).toBe('wrong')
  })

  it('has a query that clients can append to, without percent-encoding or padding', () => {
    for (const url of [signUpload(config, upload), signDownload(config, download)])
      expect(url).toMatch(/^\/[\w/-]+\?sig=[\w-]{43}$/)
    const url = signUpload(config, upload)
    expect(uploadState(`${url}&comp=block&blockid=YWJj%3D`)).toBe('valid')
    // The URL as newer storage clients rewrite it.
    expect(uploadState(url.replace(/=+$/, ''))).toBe('valid')
  })

  it('requires exactly one signature', () => {
    const [path, query] = split(signUpload(config, upload))
    for (const other of [
      '',
      'sig=',
      query.replace('sig', 'Sig'),
      `${query}&sig=x`,
      `sig=x&${query}`,
      `${query}A`,
    ])
      expect(uploadState(`${path}?${other}`), other).toBe('wrong')
  })

  it('ends in .zip only for an archive', () => {
    expect(split(signDownload(config, { ...download, isZip: true }))[0]).toMatch(/\.zip$/)
    expect(downloadState(signDownload(config, { ...download, isZip: true }))).toBe('valid')
    expect(split(signDownload(config, download))[0]).not.toMatch(/\.zip$/)
  })

  it('has a single valid spelling', () => {
    for (const path of [
      '01-23-1790000000',
      '1-23-1790000000/',
      '1-23',
      '0-23-1790000000',
      '1-23-1e9',
      '1-23-17900000000000000',
    ])
      expect(parseUploadPath(`/-/artifacts/upload/${path}`), path).toBeUndefined()
    for (const path of [
      '12-01790000000',
      '12-1790000000/artifact.ZIP',
      '12-1790000000/other.zip',
      '12-1790000000/',
    ])
      expect(parseDownloadPath(`/-/artifacts/download/${path}`), path).toBeUndefined()
  })

  it('in the API permits nothing elsewhere, and is valid only with the expiry that was signed', () => {
    const { artifactId, expires } = download
    const query = signRaw(config, { artifactId, expires })
    const state = (id: number, asked: string, seconds = 1_789_000_000) => checkRaw(at(seconds), id, asked)
    expect(query).toMatch(/^sig=[\w-]{43}&expires=\d+$/)
    expect([state(artifactId, query), state(artifactId, query, expires)]).toEqual(['valid', 'expired'])
    expect(state(1, query)).toBe('wrong')
    for (const other of [
      query.replace(/expires=./, 'expires=9'),
      query.replace('expires=', 'expires=0'),
      query.replace(/&.*/, ''),
      `${query}&sig=x`,
      split(signDownload(config, download))[1],
    ])
      expect(state(artifactId, other), other).toBe('wrong')
    expect(downloadState(`/-/artifacts/download/12-1790000000?${query}`)).toBe('wrong')
  })
})
