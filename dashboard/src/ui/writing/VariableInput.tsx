import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useLayoutEffect, useRef } from 'react';
import { spansIn } from './whole-variables.ts';
import { keepWhole } from './keep-whole.ts';
import classes from './variable-input.module.css';

interface Props extends Omit<TextInputProps, 'value' | 'inputContainer'> {
  value: string;
  ref?: Ref<HTMLInputElement>;
}

/** A line of text in which each variable is marked and is one thing. All other text is as it is typed. */
export function VariableInput({ value, ref, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const merged = useMergedRef(input, ref);
  useEffect(() => {
    return input.current === null ? undefined : keepWhole(input.current);
  }, []);
  return (
    <TextInput
      {...props}
      ref={merged}
      value={value}
      inputContainer={(field) => (
        <div className={classes['field']}>
          {field}
          <Marks value={value} input={input} />
        </div>
      )}
    />
  );
}

/** Each changes the width of a text. `font` is none of them: a browser says nothing there beside chosen features. */
const LETTERS = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'fontStretch',
  'fontFeatureSettings',
  'fontKerning',
  'fontVariationSettings',
  'letterSpacing',
  'textRendering',
  'wordSpacing',
] as const;

/** The text once more, unseen, over that of the field: its marks stand where the variables are. */
function Marks({ value, input }: { value: string; input: React.RefObject<HTMLInputElement | null> }) {
  const text = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const [field, shown] = [input.current, text.current];
    if (field === null || shown?.parentElement == null) return undefined;
    const style = getComputedStyle(field);
    Object.assign(shown.parentElement.style, { left: style.paddingLeft, right: style.paddingRight });
    for (const property of LETTERS) shown.parentElement.style[property] = style[property];
    const follow = () => {
      shown.style.transform = `translateX(${-field.scrollLeft}px)`;
    };
    follow();
    field.addEventListener('scroll', follow);
    return () => field.removeEventListener('scroll', follow);
  });
  const spans = spansIn(value);
  if (spans.length === 0) return null;
  return (
    <div className={classes['marks']} aria-hidden>
      <span ref={text}>
        {spans.map(({ from, to }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same variable may stand twice
          <span key={index}>
            {value.slice(spans[index - 1]?.to ?? 0, from)}
            <mark>{value.slice(from, to)}</mark>
          </span>
        ))}
      </span>
    </div>
  );
}
