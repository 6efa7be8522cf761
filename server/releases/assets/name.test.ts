import { expect, it } from 'vitest'
import { attachmentName, newAttachmentName } from './name'

it.each(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'])(
  'attachmentName and newAttachmentName reject a name with %j, which could disguise its extension',
  mark => {
    const name = `photo${mark}gnp.exe`
    expect(() => attachmentName(name)).toThrow('control characters')
    expect(() => newAttachmentName(name)).toThrow('control characters')
  },
)

it.each(['קובץ.zip', 'ملف‏.zip'])('attachmentName accepts the right-to-left name %j', name => {
  expect(attachmentName(name)).toBe(name)
})
