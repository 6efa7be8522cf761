'use client'
import type { ReactNode, Ref } from 'react'
import { Checkbox, FormControl } from './primer'

type CheckFieldProps = Omit<Parameters<typeof Checkbox>[0], 'ref'> & {
  label: string
  caption?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function CheckField({ label, caption, disabled, ...input }: CheckFieldProps): ReactNode {
  return (
    <FormControl disabled={disabled}>
      <Checkbox {...input} />
      <FormControl.Label>{label}</FormControl.Label>
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}
