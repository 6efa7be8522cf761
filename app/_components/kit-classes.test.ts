import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { kitClasses } from './kit-classes'

const kit = dirname(createRequire(import.meta.url).resolve('@primer/react'))

const sources: Record<keyof typeof kitClasses, [file: string, ...names: string[]]> = {
  button: ['Button/ButtonBase', 'ButtonBase'],
  iconButton: ['Button/ButtonBase', 'ButtonBase', 'IconButton'],
  buttonContent: ['Button/ButtonBase', 'ButtonContent'],
  buttonText: ['Button/ButtonBase', 'Label'],
  buttonVisual: ['Button/ButtonBase', 'Visual', 'VisualWrap'],
  checkbox: ['Checkbox/Checkbox', 'Checkbox'],
  checkboxInput: ['Checkbox/shared', 'Input'],
  link: ['Link/Link', 'Link'],
  tooltip: ['TooltipV2/Tooltip', 'Tooltip'],
}

it.each(Object.entries(sources))('the class %s is that of the UI kit', async (name, [file, ...names]) => {
  const module = await readFile(join(kit, `${file}.module.css.js`), 'utf8')
  const classes = names.map(one => new RegExp(`"${one}": "([^"]+)"`).exec(module)?.[1])
  expect(kitClasses[name as keyof typeof kitClasses]).toBe(classes.join(' '))
})
