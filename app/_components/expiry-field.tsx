'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { type Expiry, endOf, presets } from '@/app/_lib/expiry'
import { TextField } from './fields'
import { FormControl, Select } from './primer'

interface ExpiryFieldProps {
  /** Noun for the thing that expires, as in "The token expires on Dec 2, 2026." */
  what: string
  /** Caption if there is no expiration date. */
  endless: string
  value: Expiry
  after: UseFormRegisterReturn
  date: UseFormRegisterReturn
  error: string | undefined
}

/** Fields for the expiration date of a key or token. */
export function ExpiryField({ what, endless, value, after, date, error }: ExpiryFieldProps): ReactNode {
  return (
    <>
      <FormControl>
        <FormControl.Label>Expiration</FormControl.Label>
        <Select {...after} block>
          {presets.map(days => (
            <option key={days} value={days}>
              {`${days} days`}
            </option>
          ))}
          <option value="date">Custom date</option>
          <option value="never">No expiration</option>
        </Select>
        <FormControl.Caption>
          {value.after === 'never' ? endless : `The ${what} expires ${endLabel(value)}.`}
        </FormControl.Caption>
      </FormControl>
      {value.after === 'date' ? (
        <TextField {...date} label="Expiration date" type="date" autoComplete="off" error={error} />
      ) : null}
    </>
  )
}

function endLabel(value: Expiry): string {
  if (value.after === 'date') return 'at the end of that day'
  return `on ${endOf(value, new Date()).toLocaleDateString('en-US', { dateStyle: 'medium' })}`
}
