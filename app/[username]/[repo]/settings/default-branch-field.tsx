'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { FormControl, Select } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'

interface DefaultBranchFieldProps {
  field: UseFormRegisterReturn
  current: string
  branches: readonly string[]
  /** There are more branches than these. */
  hasMore: boolean
  error: string | undefined
}

/** One of the branches there are; while there is none, any name. */
export function DefaultBranchField(props: DefaultBranchFieldProps): ReactNode {
  const { field, current, branches, hasMore, error } = props
  if (branches.length === 0) {
    return (
      <TextField
        {...field}
        defaultValue={current}
        label="Default branch"
        autoComplete="off"
        spellCheck={false}
        caption="The branch that is pushed first."
        error={error}
      />
    )
  }
  return (
    <FormControl>
      <FormControl.Label>Default branch</FormControl.Label>
      <Select {...field} defaultValue={current} block>
        {[...new Set([current, ...branches])].map(branch => (
          <Select.Option key={branch} value={branch}>
            {branch}
          </Select.Option>
        ))}
      </Select>
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      <FormControl.Caption>
        {hasMore
          ? 'What a clone begins with. Others can be chosen under Branches.'
          : 'What a clone begins with.'}
      </FormControl.Caption>
    </FormControl>
  )
}
