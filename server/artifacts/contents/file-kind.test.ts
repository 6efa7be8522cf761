import { expect, it } from 'vitest'
import { fileKindOf } from './file-kind'

it.each([
  ['application/zip', 'build', 'zip'],
  ['application/json', 'report.json', 'json'],
  ['application/sarif+json', 'scan', 'json'],
  ['text/plain', 'log', 'text'],
  ['application/xml', 'junit.xml', 'text'],
  ['text/html', 'index.html', 'html'],
  ['application/xhtml+xml', 'index', 'html'],
  ['image/svg+xml', 'chart.svg', 'svg'],
  ['image/png', 'chart.png', 'image'],
  ['application/pdf', 'paper', 'pdf'],
  ['video/mp4', 'session', 'video'],
  ['application/x-executable', 'tool', 'none'],
  ['application/octet-stream', 'tool', 'none'],
  ['application/octet-stream', 'tool.yml', 'text'],
  ['application/octet-stream', 'main.ts', 'text'],
  ['', 'build.log', 'text'],
])('a file of type %j named %j is shown as %s', (contentType, name, kind) => {
  expect(fileKindOf(contentType, name)).toBe(kind)
})
