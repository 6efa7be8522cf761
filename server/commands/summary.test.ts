import { expect, it } from 'vitest'
import { aboutRestoredFiles, formatBytes } from './summary'

it('the summary of a restored file names the location of the release files', () => {
  const rows = { attachments: 2 }
  expect(aboutRestoredFiles(rows, { kind: 'disk', directory: '/srv/objects' })).toContain('/srv/objects')
  const bucket = { kind: 's3', endpoint: undefined, region: 'x', bucket: 'files', prefix: '' } as const
  expect(aboutRestoredFiles(rows, { ...bucket, credentials: undefined })).toContain('the bucket files')
  expect(aboutRestoredFiles({ releases: 1 }, { kind: 'disk', directory: '/srv/objects' })).toBe('')
})

it('formatBytes uses the unit with at most three digits before the point', () => {
  expect([0, 999, 1000, 12_345_678, 5e15].map(formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 KB',
    '12.3 MB',
    '5000.0 TB',
  ])
})
