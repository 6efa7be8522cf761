'use client'
import { Fragment, type ReactNode } from 'react'
import { FormControl, Select, TextInput } from '@/app/_components/primer'
import type { Parameter } from './description'

interface ParameterFieldProps {
  parameter: Parameter
  typeName: string
  value: string
  onValue: (value: string) => void
}

/** One value of a call: picked where there are few, typed otherwise. */
export function ParameterField({ parameter, typeName, value, onValue }: ParameterFieldProps): ReactNode {
  const { name, required = false, schema } = parameter
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  const about = [parameter.description ?? schema.description, `In the ${parameter.in}: ${typeName}.`]
  return (
    <FormControl>
      <FormControl.Label>{required ? name : `${name} (optional)`}</FormControl.Label>
      {choices ? (
        <Select value={value} aria-required={required} onChange={event => onValue(event.target.value)}>
          <Select.Option value="">Not given</Select.Option>
          {choices
            .filter(choice => choice !== '')
            .map(choice => (
              <Select.Option key={choice} value={choice}>
                {choice}
              </Select.Option>
            ))}
        </Select>
      ) : (
        <TextInput
          aria-required={required}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={event => onValue(event.target.value)}
        />
      )}
      <FormControl.Caption>{withCode(about.filter(Boolean).join(' '))}</FormControl.Caption>
    </FormControl>
  )
}

/** A sentence whose words between backticks are code. */
export function withCode(sentence: string): ReactNode {
  const parts = sentence.split('`').map((text, index) => ({ text, index }))
  return parts.map(({ text, index }) =>
    // Every second part stood between two of them.
    index % 2 === 1 ? <code key={index}>{text}</code> : <Fragment key={index}>{text}</Fragment>,
  )
}
