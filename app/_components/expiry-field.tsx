'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { type Expiry, endOf, presets } from '@/app/_lib/expiry'
import { TextField } from './fields'
import { FormControl, Select } from './primer'

interface ExpiryFieldProps {
  /** What ends then, as in "The token stops working". */
  what: string
  /** Said of one that has no end. */
  endless: string
  value: Expiry
  after: UseFormRegisterReturn
  date: UseFormRegisterReturn
  error: string | undefined
}

/** Asks how long something is to work. */
export function ExpiryField({ what, endless, value, after, date, error }: ExpiryFieldProps): ReactNode {
  return (
    <>
      <FormControl>
        <FormControl.Label>Expiration</FormControl.Label>
        <Select {...after} block>
          {presets.map(days => (
            <Select.Option key={days} value={days}>
              {`${days} days`}
            </Select.Option>
          ))}
          <Select.Option value="date">On a day of your choice</Select.Option>
          <Select.Option value="never">No expiration</Select.Option>
        </Select>
        <FormControl.Caption>
          {value.after === 'never' ? endless : `The ${what} stops working ${endLabel(value)}.`}
        </FormControl.Caption>
      </FormControl>
      {value.after === 'date' ? (
        <TextField {...date} label="Last day" type="date" autoComplete="off" error={error} />
      ) : null}
    </>
  )
}

function endLabel(value: Expiry): string {
  if (value.after === 'date') return 'when that day is over'
  return `on ${endOf(value, new Date()).toLocaleDateString('en-US', { dateStyle: 'medium' })}`
}
