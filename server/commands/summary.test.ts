import { expect, it } from 'vitest'
import { aboutFiles, aboutRestoredFiles } from './summary'

it('the summaries of a backup and a restore name the location of the release files', () => {
  const rows = { attachments: 2 }
  expect(aboutFiles(rows, { kind: 'disk', directory: '/srv/objects' })).toContain('/srv/objects')
  const bucket = { kind: 's3', endpoint: undefined, region: 'x', bucket: 'files', prefix: '' } as const
  expect(aboutRestoredFiles(rows, { ...bucket, credentials: undefined })).toContain('the bucket files')
  expect(aboutFiles({ releases: 1 }, { kind: 'disk', directory: '/srv/objects' })).toBe('')
})
