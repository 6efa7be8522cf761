import { expect, it } from 'vitest'
import { aboutFiles, aboutRestoredFiles } from './summary'

it('who makes a backup is told what else to keep, and who restores one where it belongs', () => {
  const rows = { attachments: 2 }
  expect(aboutFiles(rows, { kind: 'disk', directory: '/srv/objects' })).toContain('/srv/objects')
  const bucket = { kind: 's3', endpoint: undefined, region: 'x', bucket: 'files', prefix: '' } as const
  expect(aboutRestoredFiles(rows, { ...bucket, credentials: undefined })).toContain('the bucket files')
  expect(aboutFiles({ releases: 1 }, { kind: 'disk', directory: '/srv/objects' })).toBe('')
})
