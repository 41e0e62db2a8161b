import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import type { CodeStep } from '../../api/sign-in.ts';
import { safeNext } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { SignInCode } from './SignInCode.tsx';
import { SignInPassword } from './SignInPassword.tsx';

/** Signs in, and leads to where the person wanted to be. With two factors, a second step asks for the code. */
export function SignInPage() {
  const [{ next }] = useUrlState(['next']);
  const queries = useQueryClient();
  const router = useRouter();
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<CodeStep>();
  const [isLate, setLate] = useState(false);

  const enter = async () => {
    await queries.resetQueries({ queryKey: sessionQuery.queryKey });
    router.history.replace(safeNext(next));
  };
  const startAgain = (late: boolean) => {
    setLate(late);
    setStep(undefined);
  };

  if (step !== undefined) return <SignInCode email={email} step={step} onDone={enter} onStartAgain={startAgain} />;
  return (
    <SignInPassword
      email={email}
      isLate={isLate}
      onDone={enter}
      onCodeStep={(given, asked) => {
        setEmail(given);
        setStep(asked);
      }}
    />
  );
}
