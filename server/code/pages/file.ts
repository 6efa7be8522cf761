import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Client } from '@/server/kernel/fair-limit'
import { findObjects } from '@/server/kernel/git/objects'
import type { Header } from '@/server/kernel/git/readers/answers'
import { shownName } from '@/server/kernel/git/ref-text'
import { GitError } from '@/server/kernel/git/run'
import { streamObject } from '@/server/kernel/git/stream-object'
import type { TreeEntry } from '@/server/kernel/git/tree'
import { sniffContentType } from '@/server/kernel/http/content-type'
import { highlightLines, languageOf, renderFileMarkdown } from '@/server/kernel/rendering'
import { readLfsPointer } from '../lfs-pointer'
import { readBlob } from '../tree/blob'
import { typeOf } from '../tree/entry-type'
import { type CodeLocation, pagePath } from './location'
import { keepPageText, maxPageText } from './page-text'
import type { CodePage, ShownFile } from './schema'

// Larger files are only offered as a download.
const maxTextBytes = 1024 * 1024
const maxLines = 50_000
const maxReadmeBytes = 512 * 1024

const isMarkdown = /\.(?:md|mkd|mdown|markdown)$/i
const isReadme = /^readme(?:\.(?:md|mkd|mdown|markdown|txt|rst|adoc|org))?$/i

/** Reads a file, symbolic link, or submodule for its page. */
export async function readFile(
  ctx: ServiceCtx,
  location: CodeLocation,
  entry: TreeEntry,
  { source }: { source: boolean },
): Promise<ShownFile> {
  const { git } = location.code
  const [header] = entry.type === 'blob' ? await findObjects(git, [entry.id]) : []
  const name = shownName(entry.name)
  const about: ShownFile = {
    kind: 'file',
    name,
    id: entry.id,
    size: header?.size ?? 0,
    isExecutable: entry.mode === '100755',
    symlink: null,
    lfs: null,
    language: null,
    as: 'binary',
    text: null,
    markdown: null,
  }
  if (!header) return about
  if (header.size === 0) return { ...about, as: 'empty' }
  if (header.size > maxTextBytes) return { ...about, as: (await mediaOf(git, header)) ?? 'large' }
  const content = await readBlob(git, header)
  if (typeOf(entry) === 'symlink') return { ...about, symlink: shownName(content.toString('utf8')) }
  const media = kindOf(await sniffContentType(content))
  if (media !== 'text') return { ...about, as: media }
  return await viewText(ctx, location, about, content, source)
}

async function viewText(
  ctx: ServiceCtx,
  location: CodeLocation,
  about: ShownFile,
  content: Buffer,
  source: boolean,
): Promise<ShownFile> {
  const pointer = readLfsPointer(content)
  const text = decode(content)
  const language = languageOf(location.path, text.slice(0, 200))
  const seen = { ...about, as: 'text' as const, language: language?.name ?? null, lfs: pointer ?? null }
  if (isMarkdown.test(about.name) && !source)
    return { ...seen, markdown: await keepMarkdown(ctx, location, text) }
  const { lines, plain, hasInvisible } = await highlightLines(text, language?.id, {
    key: about.id,
    client: clientOf(ctx),
  })
  const html = htmlOf(lines)
  // Marks of invisible characters are many times as long as these.
  if (lines.length > maxLines || html.length > maxPageText) return { ...seen, as: 'large' }
  const key = keepPageText(html)
  return {
    ...seen,
    text: { key, lines: lines.length, plain: plain ?? null, hasInvisible: hasInvisible ?? false },
  }
}

// Browsers render only the blocks that are in view, and have little to do for each of the others.
const linesPerBlock = 50

/** Returns lines as HTML: blocks that know where they begin and how many lines they have. */
function htmlOf(lines: readonly string[]): string {
  let html = ''
  for (let first = 0; first < lines.length; first += linesPerBlock) {
    const block = lines.slice(first, first + linesPerBlock)
    html += `<div style="--first:${first};--lines:${block.length}">`
    for (const [index, line] of block.entries()) html += `<i id=L${first + index + 1}>${line}\n</i>`
    html += '</div>'
  }
  return html
}

function decode(content: Buffer): string {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}

/** Returns how browsers can show a content type. An SVG image is shown as an image, which runs no scripts. */
function kindOf(type: string): ShownFile['as'] {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('video/')) return 'video'
  if (type === 'application/pdf') return 'pdf'
  return /^text\/|[/+](?:json|xml|javascript)$/.test(type) ? 'text' : 'binary'
}

async function mediaOf(git: string, header: Header): Promise<ShownFile['as'] | undefined> {
  if (header.size > 100 * 1024 * 1024) return undefined
  const beginning = await readBeginning(git, header)
  const kind = kindOf(await sniffContentType(beginning))
  return kind === 'text' || kind === 'binary' ? undefined : kind
}

async function readBeginning(git: string, header: Header): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of streamObject(git, header)) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length > 4100) break
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
  }
  return Buffer.concat(chunks)
}

/** Renders the README file of a directory, if it has one. */
export async function renderReadme(
  ctx: ServiceCtx,
  location: CodeLocation,
  entries: readonly TreeEntry[],
): Promise<Extract<CodePage['content'], { kind: 'directory' }>['readme']> {
  const { git } = location.code
  const found = entries.filter(entry => typeOf(entry) === 'file' && isReadme.test(entry.name))
  const entry = found.find(({ name }) => isMarkdown.test(name)) ?? found[0]
  const [header] = entry ? await findObjects(git, [entry.id]) : []
  if (!entry || !header || header.size > maxReadmeBytes) return null
  const text = decode(await readBlob(git, header))
  const path = location.path ? `${location.path}/${entry.name}` : entry.name
  const name = shownName(entry.name)
  if (isMarkdown.test(name)) return { name, ...(await keepMarkdown(ctx, { ...location, path }, text)) }
  const { lines, hasInvisible } = await highlightLines(text, undefined)
  const key = keepPageText(`<pre tabindex="0">${lines.join('\n')}</pre>`)
  return { name, key, plain: null, hasInvisible }
}

/** Renders a Markdown file, and returns the key under which its HTML is kept for the page. */
async function keepMarkdown(
  ctx: ServiceCtx,
  location: CodeLocation,
  text: string,
): Promise<NonNullable<ShownFile['markdown']>> {
  const { html, plain, hasInvisible } = await renderMarkdown(ctx, location, text)
  return { key: keepPageText(html), plain: plain ?? null, hasInvisible }
}

/** Renders text as a Markdown file at a path, whose relative links lead to the same revision. */
export async function renderMarkdown(
  ctx: ServiceCtx,
  { code, revision, path }: CodeLocation,
  text: string,
): ReturnType<typeof renderFileMarkdown> {
  const site = `/${code.owner.name}/${code.repository.name}`
  const options = {
    baseUrl: ctx.config.baseUrl,
    repository: site,
    file: {
      links: `${site}/${pagePath('src', revision, '')}`,
      raw: `${site}/${pagePath('raw', revision, '')}`,
      folder: shownName(path.slice(0, Math.max(path.lastIndexOf('/'), 0))),
    },
  }
  return await renderFileMarkdown(text, options, { client: clientOf(ctx) })
}

const clientOf = ({ caller, remoteAddress }: ServiceCtx): Client => ({
  address: remoteAddress,
  isAnonymous: isAnonymous(caller),
})
