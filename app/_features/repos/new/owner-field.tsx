'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { FormControl, Select } from '@/app/_components/primer'

interface OwnerFieldProps {
  field: UseFormRegisterReturn
  owners: readonly string[]
}

/** Oneself first, then the organizations. */
export function OwnerField({ field, owners }: OwnerFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>Owner</FormControl.Label>
      <Select {...field} block>
        {owners.map(owner => (
          <Select.Option key={owner} value={owner}>
            {owner}
          </Select.Option>
        ))}
      </Select>
      {owners.length === 1 ? (
        <FormControl.Caption>
          Organizations appear here when one of your teams may create repositories.
        </FormControl.Caption>
      ) : null}
    </FormControl>
  )
}
