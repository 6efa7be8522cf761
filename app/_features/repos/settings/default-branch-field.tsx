'use client'
import { type ReactNode, useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { FormControl, Select } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'
import type { BranchNames } from '@/server/repos/refs/schema'

interface DefaultBranchFieldProps {
  field: UseFormRegisterReturn
  current: string
  branches: BranchNames
  error: string | undefined
}

/** One of the branches there are. While there is none, any name; of very many, one typed with suggestions. */
export function DefaultBranchField(props: DefaultBranchFieldProps): ReactNode {
  const { field, current, branches, error } = props
  const suggestions = useId()
  if (branches.total === 0 || branches.total > branches.names.length) {
    return (
      <>
        <TextField
          {...field}
          defaultValue={current}
          label="Default branch"
          list={suggestions}
          autoComplete="off"
          spellCheck={false}
          caption={
            branches.total === 0
              ? 'The branch that is pushed first.'
              : 'What a clone begins with. Type any branch.'
          }
          error={error}
        />
        <datalist id={suggestions}>
          {branches.names.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    )
  }
  return (
    <FormControl>
      <FormControl.Label>Default branch</FormControl.Label>
      <Select {...field} defaultValue={current} block>
        {[...new Set([current, ...branches.names])].map(name => (
          <Select.Option key={name} value={name}>
            {name}
          </Select.Option>
        ))}
      </Select>
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      <FormControl.Caption>What a clone begins with.</FormControl.Caption>
    </FormControl>
  )
}
