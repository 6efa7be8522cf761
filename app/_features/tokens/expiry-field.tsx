'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { FormControl, Select } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'
import { type Expiry, endOf, presets } from './token-expiry'

interface ExpiryFieldProps {
  value: Expiry
  after: UseFormRegisterReturn
  date: UseFormRegisterReturn
  error: string | undefined
}

export function ExpiryField({ value, after, date, error }: ExpiryFieldProps): ReactNode {
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
        <FormControl.Caption>{captionOf(value)}</FormControl.Caption>
      </FormControl>
      {value.after === 'date' ? (
        <TextField {...date} label="Last day" type="date" autoComplete="off" error={error} />
      ) : null}
    </>
  )
}

function captionOf(value: Expiry): string {
  if (value.after === 'never')
    return 'The token works until you revoke it. One that ends does less harm when it leaks.'
  if (value.after === 'date') return 'The token stops working when that day is over.'
  const day = endOf(value, new Date()).toLocaleDateString('en-US', { dateStyle: 'medium' })
  return `The token stops working on ${day}.`
}
