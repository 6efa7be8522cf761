import { expect, test } from 'vitest'
import { summaryOf } from './summary'
import type { Upload, UploadState } from './upload'

const upload = (state: UploadState, sent = 0): Upload => ({
  key: state,
  name: 'a.zip',
  size: 100,
  sent,
  state,
  problem: undefined,
  bytesPerSecond: undefined,
})

test('summaryOf counts the pending uploads in each state and rounds the progress to quarters', () => {
  expect(summaryOf([upload('sending', 60)], true)).toBe('1 file is uploading, 50 percent done.')
  expect(summaryOf([upload('sending', 100), upload('waiting')], true)).toBe(
    '2 files are uploading, 50 percent done.',
  )
  expect(summaryOf([upload('asking')], true)).toBe('1 file needs a decision.')
  expect(summaryOf([upload('paused', 10), upload('paused', 20)], true)).toBe('2 files are paused.')
  expect(summaryOf([upload('away', 50)], true)).toBe('1 file is waiting to reconnect.')
  expect(summaryOf([upload('waiting')], false)).toBe('1 file is waiting for a tag.')
  expect(summaryOf([upload('sending'), upload('asking'), upload('asking')], true)).toBe(
    '2 files need a decision. 1 file is uploading, 0 percent done.',
  )
})

test('summaryOf omits rejected, failed, and interrupted uploads', () => {
  expect(summaryOf([upload('refused'), upload('failed'), upload('interrupted', 50)], true)).toBe('')
})
