'use client'
import type { ReactNode } from 'react'
import { KeySheet } from './key-sheet'
import { Palette, type PaletteProps } from './palette'

/** What the keys of every page open; fetched as a whole. */
export function Dialogs({ open, ...palette }: PaletteProps & { open: 'palette' | 'keys' }): ReactNode {
  return open === 'keys' ? <KeySheet onClose={palette.onClose} /> : <Palette {...palette} />
}
