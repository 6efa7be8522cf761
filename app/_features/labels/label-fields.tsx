'use client'
import type { ReactNode } from 'react'
import { CheckField, TextField } from '@/app/_components/fields'
import { LabelChip } from './label-chip'
import styles from './labels.module.css'

type TextProps = Parameters<typeof TextField>[0]
type CheckProps = Parameters<typeof CheckField>[0]

interface LabelFieldsProps {
  /** Props of the fields, which register them in their form. */
  name: TextProps
  color: TextProps
  description: TextProps
  exclusive: CheckProps
  archived: CheckProps
  /** What was typed, for the preview. */
  typed: { name: string; color: string }
  onColor: (color: string) => void
}

/** Fields of a label, with a preview. */
export function LabelFields(props: LabelFieldsProps): ReactNode {
  const { name, color, description, exclusive, archived, typed, onColor } = props
  const digits = digitsIn(typed.color)
  return (
    <>
      <TextField
        {...name}
        autoComplete="off"
        caption={
          <span className={styles.preview}>
            Preview: <LabelChip name={typed.name.trim() || 'Label'} color={digits} />
          </span>
        }
      />
      <div className={styles.color}>
        <TextField {...color} autoComplete="off" spellCheck={false} placeholder="1f6feb" />
        <input
          type="color"
          className={styles.picker}
          aria-label="Pick a color"
          value={`#${digits}`}
          onChange={event => onColor(event.target.value.slice(1))}
        />
      </div>
      <TextField {...description} optional autoComplete="off" />
      <CheckField
        {...exclusive}
        caption="Of the labels that share the text before the last slash, such as priority/high and priority/low, only one applies."
      />
      <CheckField {...archived} caption="Programs stop offering it." />
    </>
  )
}

/** Returns the six digits that a typed color means, or those of gray. */
function digitsIn(text: string): string {
  const [, digits = 'cccccc'] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? []
  return (digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()
}
