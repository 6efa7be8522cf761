import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { root } from './run.mjs'

const octicons = await import('@primer/octicons-react')
const file = join(root, 'app/_components/i.svg')

/** Returns the file that the icons of `app/_components/icons.tsx` are drawn from, in each of their drawings. */
export async function spriteOfIcons() {
  const source = await readFile(join(root, 'app/_components/icons.tsx'), 'utf8')
  const named = source.matchAll(/export const (\w+): Icon = .*icon\('([a-z-]+)'\)/g)
  const symbols = [...named].flatMap(([, component, name]) => {
    const id = name.replace(/-fill$/, 'F').replaceAll('-', '')
    return [symbolOf(component, id, 16), symbolOf(component, `${id}L`, 24)]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">\n${symbols.join('\n')}\n</svg>\n`
}

// The symbol may draw beyond its box, as icons of the UI kit may.
function symbolOf(component, id, size) {
  const drawn = renderToStaticMarkup(createElement(octicons[component], { size }))
  const [, box, content] = /viewBox="([^"]+)".*?>(.*)<\/svg>/.exec(drawn)
  return `<symbol id="${id}" viewBox="${box}" overflow="visible">${content}</symbol>`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(file, await spriteOfIcons())
