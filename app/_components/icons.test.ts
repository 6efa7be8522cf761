import { readFile } from 'node:fs/promises'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { spriteOfIcons } from '@/scripts/make-icons.mjs'
import * as icons from './icons'

it('the file of the icons is what `npm run generate` makes of them', async () => {
  const file = await readFile(new URL('./i.svg', import.meta.url), 'utf8')
  expect(file).toBe(await spriteOfIcons())
})

it('an icon takes at most 120 bytes of HTML', () => {
  // The name of the file in a build.
  const src = '/_next/static/i.789abc.svg'
  for (const [name, icon] of Object.entries(icons)) {
    for (const size of [16, 24] as const) {
      const html = renderToStaticMarkup(createElement(icon, { size })).replace(/href="[^#]*/, `href="${src}`)
      expect(html.length, `${name}: ${html}`).toBeLessThanOrEqual(120)
    }
  }
})

it('screen readers ignore an icon without a text alternative, and read one with', () => {
  const render = (props: object) => renderToStaticMarkup(createElement(icons.KeyIcon, props))
  expect(render({})).toContain('<svg aria-hidden="true" class="icon">')
  expect(render({ 'aria-label': 'Delivered', className: 'done' })).toContain(
    '<svg role="img" aria-label="Delivered" class="icon done">',
  )
})
