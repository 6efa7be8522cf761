import { expect, it } from 'vitest'
import { isGenerated, isVendored, languageOf } from '.'
import { grammarNamed } from './language-of'
import { languagesByPattern } from './languages'
import { hasGrammar } from './thread/grammars'

it.each([
  ['src/main.ts', '', 'TypeScript'],
  ['a/b/x.d.ts', '', 'TypeScript'],
  ['x.h', '', 'C'],
  ['Main.JAVA', '', 'Java'],
  ['Makefile', '', 'Makefile'],
  ['deploy/Dockerfile.dev', '', 'Dockerfile'],
  ['CMakeLists.txt', '', 'CMake'],
  ['.gitignore', '', 'Ignore List'],
  ['index.blade.php', '', 'Blade'],
  ['a.tar.gz.b.py', '', 'Python'],
  ['bin/run', '#!/usr/bin/env python3.11', 'Python'],
  ['bin/run', '#!/usr/bin/env -S FOO=1 deno run', 'JavaScript'],
  ['bin/run', '#! /bin/sh -e', 'Shell'],
  ['x.rb', '#!/bin/sh', 'Ruby'],
  ['bin/run', '#!/opt/own', undefined],
  ['LICENSE.unknown', '', undefined],
  ['constructor', '', undefined],
  ['x.__proto__', '', undefined],
  ['.'.repeat(100_000), '#!'.repeat(100_000), undefined],
])('languageOf names the language of %j with the first line %j as linguist does', (path, line, name) => {
  expect(languageOf(path, line)?.name).toBe(name)
})

it('languages have the types and colors of linguist', () => {
  expect(languageOf('a.ts')).toEqual({
    name: 'TypeScript',
    type: 'programming',
    color: '#3178c6',
    id: 'typescript',
  })
  expect(languageOf('a.json')).toMatchObject({ type: 'data' })
  expect(languageOf('a.md')).toMatchObject({ type: 'prose' })
  expect(languageOf('a.css')).toMatchObject({ type: 'markup', color: '#663399' })
  for (const { color, type } of languagesByPattern.values()) {
    expect(color).toMatch(/^#[\da-f]{6}$/i)
    expect(['programming', 'markup', 'data', 'prose']).toContain(type)
  }
})

it('every grammar that a language names exists', () => {
  const ids = [...languagesByPattern.values()].flatMap(({ id }) => id ?? [])
  expect(ids.filter(id => !hasGrammar(id))).toEqual([])
})

it.each([
  ['ts', 'typescript'],
  ['C++', 'cpp'],
  ['console', 'shell'],
  ['sh', 'bash'],
  ['php', 'php'],
  ['dockerfile', 'dockerfile'],
  ['__proto__', undefined],
  ['toString', undefined],
  ['', undefined],
])('a code block that names %j is highlighted as %j', (name, id) => expect(grammarNamed(name)).toBe(id))

it.each([
  'node_modules/a/index.js',
  'web/vendor/x.go',
  'third_party/lib/a.c',
  'public/app.min.js',
  'js/jquery-3.7.1.js',
  'test/fixtures/a.rb',
  'gradle/wrapper/gradle-wrapper.properties',
])('isVendored is true for %s', path => expect(isVendored(path)).toBe(true))

it.each(['src/vendor.ts', 'fixtures.py', 'src/distance/a.c', 'reactor.js'])(
  'isVendored is false for %s',
  path => expect(isVendored(path)).toBe(false),
)

it.each(['package-lock.json', 'go.sum', 'api/v1/a.pb.go', 'x_pb2.py', 'lib/a.g.dart', 'a/bundle.js.map'])(
  'isGenerated is true for %s',
  path => expect(isGenerated(path)).toBe(true),
)

it.each(['package.json', 'src/main.go', 'a.pb', `${'a_pb'.repeat(100)}.js`])(
  'isGenerated is false for %s',
  path => expect(isGenerated(path)).toBe(false),
)
