------------------------------ MODULE Latchkey ------------------------------
(***************************************************************************)
(* How Latchkey claims, runs, releases, recovers, retries and completes.   *)
(*                                                                         *)
(* ZooKeeper's side (sessions, latch, /leader, cursors, running records,   *)
(* history, instance nodes) changes only by whole transactions. An         *)
(* instance's side is what it believes: that may be stale, its requests    *)
(* may be applied late, their answers may never come.                      *)
(*                                                                         *)
(* Everything that goes wrong costs one of MaxFaults: a freeze or cut that *)
(* outlasts the lease, a crash, a session ended by force, a lost answer, a *)
(* connection that breaks, a handover, a false belief to hold the latch,   *)
(* and each thing an operator deletes. What mends things costs nothing. So *)
(* a run explores every mix of that many faults, at every moment, and is   *)
(* finite without cutting off what follows a fault.                        *)
(*                                                                         *)
(* Mutant names the guards that are taken out: each is thereby shown to be *)
(* needed. With Mutant = {} every invariant holds.                         *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Inst,          \* instances
          Trig,          \* triggers, each of a job of its own
          MaxSlot,       \* slots of each trigger; all are due from the start
          MaxAttempt,    \* attempts of one fire; 1: its job does not request recovery, nor retries
          MaxFaults,     \* faults in all
          Faults,        \* which kinds of faults there are; "retry": runs fail and are tried again, which costs none
          NonConcurrent, \* the jobs must not overlap themselves
          Mutant         \* guards taken out

Slot == 1..MaxSlot
Fire == Trig \X Slot
Can(kind) == kind \in Faults
Out(guard) == guard \in Mutant

VARIABLES
  \* ---- ZooKeeper
  live,    \* sessions that the servers hold alive: [i, n], instance and number
  pub,     \* sessions whose instances/<id> is there
  latch,   \* candidates in order: sequence of [s, node]
  leader,  \* /leader: [there, v, term]
  cursor,  \* by trigger: [there, next, v]
  record,  \* by fire, the running record: [st, own, att, nonce, v]
  folded,  \* fires that the history has
  \* ---- instances
  up,      \* the process runs
  inc,     \* number of its current session
  lease,   \* the lease of that session runs
  term,    \* the term it leads, its gate open: [no, v, node, seen]; or NoTerm
  known,   \* its copy of the cursors: [next, v]
  claims,  \* claims in hand or under way
  \* ---- bookkeeping of the model
  faults,  \* so far
  hand,    \* sessions whose instance node was deleted by hand, and that have not heard from ZooKeeper since
  forced,  \* a session was ended by force, or taken for dead: its lease proves nothing
  started, \* by fire and attempt: how often it was started
  ends,    \* by fire: how many outcomes were recorded
  bad      \* what went wrong, by name: see the invariants

zk   == <<live, pub, latch, leader, cursor, record, folded>>
mine == <<up, inc, lease, term, known>>
book == <<hand, forced>>
seen == <<started, ends, bad>>
vars == <<live, pub, latch, leader, cursor, record, folded, up, inc, lease, term, known, claims,
          faults, hand, forced, started, ends, bad>>

Nobody   == [i |-> "nobody", n |-> 0]
NoNonce  == <<0, 0>>
NoRecord == [st |-> "none", own |-> Nobody, att |-> 0, nonce |-> NoNonce, v |-> 0]
NoTerm   == [no |-> 0, v |-> 0, node |-> 0, seen |-> {}]
Me(i)    == [i |-> i, n |-> inc[i]]
Unknown  == [t \in Trig |-> [next |-> 0, v |-> 0]]

\* All are connected, published and candidates; nobody leads.
Init ==
  /\ live = {[i |-> i, n |-> 1] : i \in Inst} /\ pub = IF Out("publish") THEN {} ELSE live
  /\ \E order \in [1..Cardinality(Inst) -> Inst] :
       /\ \A j, k \in DOMAIN order : j # k => order[j] # order[k]
       /\ latch = [k \in DOMAIN order |-> [s |-> [i |-> order[k], n |-> 1], node |-> k]]
  /\ leader = [there |-> TRUE, v |-> 0, term |-> 0]
  /\ cursor = [t \in Trig |-> [there |-> TRUE, next |-> 1, v |-> 0]]
  /\ record = [f \in Fire |-> NoRecord] /\ folded = {}
  /\ up = [i \in Inst |-> TRUE] /\ inc = [i \in Inst |-> 1] /\ lease = [i \in Inst |-> TRUE]
  /\ term = [i \in Inst |-> NoTerm]
  /\ known = [i \in Inst |-> Unknown]
  /\ claims = {} /\ faults = 0 /\ hand = {} /\ forced = FALSE
  /\ started = [f \in Fire |-> [a \in 1..MaxAttempt |-> 0]]
  /\ ends = [f \in Fire |-> 0] /\ bad = {}

(* ------------------------------------------------------------- helpers *)
Costs(kind) == Can(kind) /\ faults < MaxFaults /\ faults' = faults + 1
Free        == faults' = faults

Leads(i)     == term[i].no # 0
HasNode(s)   == \E k \in DOMAIN latch : latch[k].s = s
NodeOf(s)    == latch[CHOOSE k \in DOMAIN latch : latch[k].s = s].node
NodeThere(n) == \E k \in DOMAIN latch : latch[k].node = n
IsFirst(s)   == latch # <<>> /\ latch[1].s = s
Off(s)       == SelectSeq(latch, LAMBDA e : e.s # s)
\* It gets answers: its session lives, and there is no bad news on it that comes before them.
Hears(i)     == up[i] /\ Me(i) \in live /\ Me(i) \notin hand
\* What every transaction of a term checks first: operations 0 and 1.
Fenced(t)    == /\ Out("leader") \/ (leader.there /\ leader.v = t.v)
                /\ Out("latch") \/ NodeThere(t.node)

\* The latest slot of a trigger that running records and history know of.
Decided(t) == LET S == {s \in Slot : \/ ~Out("records") /\ record[<<t, s>>].st # "none"
                                     \/ ~Out("history") /\ <<t, s>> \in folded}
              IN IF S = {} THEN 0 ELSE CHOOSE m \in S : \A s \in S : s <= m

\* A fire counts as being in this process from the answer to its claim to the end of its run.
InHand(c)       == c.loc \in {"claimed", "asked", "started"}
RunsHere(i, f)  == \E c \in claims : c.f = f /\ c.own.i = i /\ InHand(c)
OwnerGone(r)    == IF Out("incarnation") THEN ~\E s \in pub : s.i = r.own.i ELSE r.own \notin pub

\* A job that must not overlap is blocked while it runs in this process, under whatever session and term, and while
\* a record says that another instance which lives may run it. "process" goes by the records alone.
Blocked(i, f) ==
  /\ NonConcurrent
  /\ \/ \E c \in claims : /\ c.f # f /\ c.f[1] = f[1] /\ c.own.i = i
                          /\ c.loc \in {"waiting", "unknown"} \/ InHand(c)
                          /\ Out("process") => (c.term = term[i].no \/ record[c.f].st = "claimed")
     \/ ~Out("block") /\ \E s \in Slot : LET r == record[<<f[1], s>>] IN
          s # f[2] /\ r.st = "claimed" /\ r.own # Me(i) /\ ~OwnerGone(r)

\* New numbers for sessions and latch nodes: the lowest that nothing refers to, so that states do not differ by
\* numbers alone.
Least(P(_)) == CHOOSE n \in 1..20 : P(n) /\ \A m \in 1..(n - 1) : ~P(m)
NewSession(i) == LET free(n) == LET s == [i |-> i, n |-> n] IN
                       /\ s \notin live /\ n # inc[i]
                       /\ \A c \in claims : c.own # s
                       /\ \A f \in Fire : record[f].own # s
                 IN Least(free)
NewNode == LET free(n) == /\ ~NodeThere(n) /\ \A i \in Inst : term[i].node # n
                          /\ \A c \in claims : c.node # n
           IN Least(free)

\* A fault on an instance that neither leads nor has a claim in hand changes nothing but the order of the latch.
Bites(i) == Leads(i) \/ \E c \in claims : c.own.i = i

(* ------------------------------------------- faults: sessions, processes *)
\* Frozen, or cut off: no write is confirmed for T/2. The session may end from now on, but need not.
Freeze(i) ==
  /\ Costs("freeze") /\ up[i] /\ lease[i] /\ Bites(i)
  /\ lease' = [lease EXCEPT ![i] = FALSE]
  /\ UNCHANGED <<zk, up, inc, term, known, claims, book, seen>>

\* The session is over: what it had under way is never applied, its nodes go.
EndSession(s) ==
  /\ live' = live \ {s} /\ pub' = pub \ {s} /\ latch' = Off(s) /\ hand' = hand \ {s}
  /\ claims' = {IF c.own = s /\ c.net = "sent" THEN [c EXCEPT !.net = "refused"] ELSE c :
                  c \in {d \in claims : ~(d.own = s /\ d.loc = "dead")}}

\* The servers end no session whose lease runs: it ends T/2 after the send of a write that they confirmed. Only force
\* does (an operator, a wiped server).
Expire(s) ==
  /\ s \in live
  /\ IF inc[s.i] = s.n /\ lease[s.i] THEN Costs("force") /\ forced' = TRUE ELSE Free /\ UNCHANGED forced
  /\ EndSession(s)
  /\ UNCHANGED <<leader, cursor, record, folded, mine, seen>>

\* The process dies, and what is in its memory; what it had sent is still on its way.
Crash(i) ==
  /\ Costs("crash") /\ up[i] /\ Bites(i)
  /\ up' = [up EXCEPT ![i] = FALSE] /\ lease' = [lease EXCEPT ![i] = FALSE]
  /\ term' = [term EXCEPT ![i] = NoTerm] /\ known' = [known EXCEPT ![i] = Unknown]
  /\ claims' = {IF c.own.i = i THEN [c EXCEPT !.loc = "dead"] ELSE c :
                  c \in {d \in claims : d.own.i = i => (d.net = "sent" /\ d.own \in live)}}
  /\ UNCHANGED <<zk, inc, book, seen>>

\* A connection that breaks, a handover: the gate of the term closes for good, on the thread that learns it. Leaving
\* the latch is part of a handover. Free where the term is over already, and this is how its holder learns.
LoseTerm(i) ==
  /\ Leads(i)
  /\ \/ Costs("lose") /\ latch' \in {latch, Off(Me(i))}
     \/ Free /\ UNCHANGED latch /\ (~Fenced(term[i]) \/ Me(i) \notin live \/ ~lease[i])
  /\ term' = [term EXCEPT ![i] = NoTerm] /\ known' = [known EXCEPT ![i] = Unknown]
  /\ UNCHANGED <<live, pub, leader, cursor, record, folded, up, inc, lease, claims, book, seen>>

(* -------------------------------------------------- faults: by operators *)
DeleteLatchNode(s) ==
  /\ Costs("latchnode") /\ HasNode(s) /\ Leads(s.i) /\ latch' = Off(s)
  /\ UNCHANGED <<live, pub, leader, cursor, record, folded, mine, claims, book, seen>>

DeleteCursor(t) ==
  /\ Costs("cursor") /\ cursor[t].there
  /\ cursor' = [cursor EXCEPT ![t] = [there |-> FALSE, next |-> 0, v |-> 0]]
  /\ UNCHANGED <<live, pub, latch, leader, record, folded, mine, claims, book, seen>>

DeleteRecord(f) ==
  /\ Costs("record") /\ record[f].st # "none"
  /\ record' = [record EXCEPT ![f] = NoRecord]
  /\ UNCHANGED <<live, pub, latch, leader, cursor, folded, mine, claims, book, seen>>

DeleteLeader ==
  /\ Costs("leadernode") /\ leader.there
  /\ leader' = [leader EXCEPT !.there = FALSE, !.v = 0]
  /\ UNCHANGED <<live, pub, latch, cursor, record, folded, mine, claims, book, seen>>

\* Others take this instance for dead from now on.
DeleteInstanceNode(s) ==
  /\ Costs("instance") /\ s \in pub /\ inc[s.i] = s.n /\ up[s.i] /\ Bites(s.i)
  /\ pub' = pub \ {s} /\ hand' = hand \cup {s} /\ forced' = TRUE
  /\ UNCHANGED <<live, latch, leader, cursor, record, folded, mine, claims, seen>>

(* --------------------------------------------------------------- mending *)
\* With /leader gone nobody leads until a person has run `repair`, which works only while the latch has no candidates.
Repair ==
  /\ ~leader.there /\ (Out("repair") \/ latch = <<>>)
  /\ leader' = [leader EXCEPT !.there = TRUE]
  /\ Free /\ UNCHANGED <<live, pub, latch, cursor, record, folded, mine, claims, book, seen>>

\* It watches its own node, and treats its loss as the session's. A watch is told before any later answer.
Notice(i) ==
  /\ Me(i) \in hand /\ up[i] /\ Free
  /\ IF Out("ownnode")
     THEN hand' = hand \ {Me(i)} /\ UNCHANGED <<live, pub, latch, lease, claims>>
     ELSE EndSession(Me(i)) /\ lease' = [lease EXCEPT ![i] = FALSE]
  /\ UNCHANGED <<leader, cursor, record, folded, up, inc, term, known, forced, seen>>

\* A process comes (back), or learns that its session is gone: a new session, its node published, then a candidate.
\* The id is free only when the old session's node has gone. Jobs may still run from an older session; claims of it that
\* were not started are forgotten: they are in flight like any other, for recovery to decide.
Connect(i) ==
  /\ Me(i) \notin live /\ Free
  /\ LET s == [i |-> i, n |-> NewSession(i)] IN
     /\ inc' = [inc EXCEPT ![i] = s.n] /\ up' = [up EXCEPT ![i] = TRUE]
     /\ lease' = [lease EXCEPT ![i] = TRUE]
     /\ term' = [term EXCEPT ![i] = NoTerm] /\ known' = [known EXCEPT ![i] = Unknown]
     /\ live' = live \cup {s}
     /\ pub' = IF Out("publish") THEN pub ELSE pub \cup {s}
     /\ latch' = IF leader.there THEN Append(latch, [s |-> s, node |-> NewNode]) ELSE latch
  /\ claims' = {c \in claims : c.own.i = i => c.loc = "started"}
  /\ UNCHANGED <<leader, cursor, record, folded, book, seen>>

\* Mutant "publish" alone: the node comes later than the candidacy.
Publish(i) ==
  /\ Out("publish") /\ up[i] /\ Me(i) \in live \ pub /\ Me(i) \notin hand /\ Free
  /\ pub' = pub \cup {Me(i)}
  /\ UNCHANGED <<live, latch, leader, cursor, record, folded, mine, claims, book, seen>>

Rejoin(i) ==
  /\ Hears(i) /\ ~HasNode(Me(i)) /\ ~Leads(i) /\ leader.there /\ Free
  /\ latch' = Append(latch, [s |-> Me(i), node |-> NewNode])
  /\ UNCHANGED <<live, pub, leader, cursor, record, folded, mine, claims, book, seen>>

\* A candidate that finds /leader gone stands back.
StandBack(i) ==
  /\ Hears(i) /\ HasNode(Me(i)) /\ ~Leads(i) /\ ~leader.there /\ Free
  /\ latch' = Off(Me(i))
  /\ UNCHANGED <<live, pub, leader, cursor, record, folded, mine, claims, book, seen>>

\* A confirmed write, as leader with what claims check: the lease runs anew. So it does when a term is taken.
Heartbeat(i) ==
  /\ Hears(i) /\ ~lease[i] /\ (Leads(i) => Fenced(term[i])) /\ Free
  /\ lease' = [lease EXCEPT ![i] = TRUE]
  /\ UNCHANGED <<zk, up, inc, term, known, claims, book, seen>>

(* ----------------------------------------------------------------- terms *)
Undecided(f) == record[f].st = "released" \/ (record[f].st = "claimed" /\ OwnerGone(record[f]))

\* One transaction {own latch node; own instance node; /leader at its version}; then the load, cursors that are
\* missing made anew after the latest slot known (whatever the clock says), the gate opened. One step here: what is
\* loaded later is only newer.
\* The latch is a hint: to believe falsely in it is a fault. So is an answer that never comes: a term without holder.
TakeTerm(i) ==
  /\ Hears(i) /\ ~Leads(i) /\ HasNode(Me(i)) /\ leader.there
  /\ Me(i) \in pub \/ Out("instcheck")
  /\ LET no == leader.term + 1
         unheard == /\ Costs("lose") /\ IsFirst(Me(i)) /\ UNCHANGED <<term, known, cursor, lease>>
         heard ==
           /\ IF IsFirst(Me(i)) THEN Free ELSE Costs("belief")
           /\ lease' = [lease EXCEPT ![i] = TRUE]
           /\ term' = [term EXCEPT ![i] = [no |-> no, v |-> leader.v + 1, node |-> NodeOf(Me(i)),
                          seen |-> IF Out("onload") \/ Out("ongone") THEN {f \in Fire : Undecided(f)} ELSE {}]]
           /\ cursor' = [t \in Trig |-> IF cursor[t].there THEN cursor[t]
                           ELSE [there |-> TRUE, v |-> 0, next |-> Decided(t) + 1]]
           /\ known' = [known EXCEPT ![i] = [t \in Trig |-> [next |-> cursor'[t].next, v |-> cursor'[t].v]]]
     IN /\ leader' = [leader EXCEPT !.v = @ + 1, !.term = no]
        /\ heard \/ unheard
  /\ UNCHANGED <<live, pub, latch, record, folded, up, inc, claims, book, seen>>

\* A cursor deleted under a leader: made anew by a write of the term, after the latest slot known. Here the leader's
\* own memory counts too.
Replan(i, t) ==
  /\ Leads(i) /\ Hears(i) /\ Fenced(term[i]) /\ Free
  /\ ~cursor[t].there /\ ~\E c \in claims : c.own.i = i /\ c.f[1] = t /\ c.loc \in {"waiting", "unknown"}
  /\ LET remembered == IF Out("memory") THEN 1 ELSE known[i][t].next
         next == IF remembered > Decided(t) + 1 THEN remembered ELSE Decided(t) + 1
     IN /\ cursor' = [cursor EXCEPT ![t] = [there |-> TRUE, v |-> 0, next |-> next]]
        /\ known' = [known EXCEPT ![i][t] = [next |-> next, v |-> 0]]
  /\ UNCHANGED <<live, pub, latch, leader, record, folded, up, inc, lease, term, claims, book, seen>>

(* ---------------------------------------------------------------- claims *)
Claim(i, f, kind, rv, cv, att) ==
  [kind |-> kind, f |-> f, own |-> Me(i), term |-> term[i].no, v |-> term[i].v, node |-> term[i].node,
   cv |-> cv, rv |-> rv, att |-> att, net |-> "sent", loc |-> "waiting", mine |-> 0]
\* New for every claim: the term, and what it claims from.
Nonce(c) == IF Out("nonce") THEN <<c.own.i>> ELSE <<c.term, c.rv>>

\* Cursor forward at its version, and a new running record.
SendDue(i, t) ==
  /\ Leads(i) /\ up[i] /\ Me(i) \in live /\ Free
  /\ LET s == known[i][t].next IN
     /\ s \in Slot /\ ~Blocked(i, <<t, s>>)
     /\ ~\E c \in claims : c.f[1] = t /\ c.own.i = i /\ c.kind = "due"
                           /\ c.loc \in {"waiting", "unknown"}
     /\ claims' = claims \cup {Claim(i, <<t, s>>, "due", 0, known[i][t].v, 1)}
  /\ UNCHANGED <<zk, mine, book, seen>>

\* Recovery, at load and whenever an instance goes. A record given back runs as the same attempt. So does a claim of
\* this very session that is not in hand: its answer never came, nobody has run it. One whose owner's incarnation is
\* gone is run as the next attempt. None of them while an earlier attempt still runs in this very process.
NeverRan(i, f) == record[f].own = Me(i) /\ ~RunsHere(i, f)
NeedsDeciding(i, f) ==
  /\ \/ record[f].st = "released" /\ (Out("released") \/ ~RunsHere(i, f))
     \/ record[f].st = "claimed" /\ (OwnerGone(record[f]) \/ NeverRan(i, f)) /\ (Out("here") \/ ~RunsHere(i, f))
  /\ Out("onload") => f \in term[i].seen
  /\ Out("ongone") => f \notin term[i].seen
  /\ ~\E c \in claims : c.f = f /\ c.term = term[i].no
SameAttempt(i, f) == record[f].st = "released" \/ (NeverRan(i, f) /\ ~Out("asinflight"))

SendRetake(i, f) ==
  /\ Leads(i) /\ up[i] /\ Me(i) \in live /\ Free
  /\ NeedsDeciding(i, f) /\ ~Blocked(i, f)
  /\ LET att == record[f].att + (IF SameAttempt(i, f) THEN 0 ELSE 1) IN
     /\ att <= MaxAttempt
     /\ claims' = claims \cup {Claim(i, f, "retake", record[f].v, 0, att)}
  /\ UNCHANGED <<zk, mine, book, seen>>

\* No attempt is left, or its job does not ask for one: decided all the same, by a fenced and versioned write.
Abandon(i, f) ==
  /\ Leads(i) /\ Hears(i) /\ Fenced(term[i]) /\ Free
  /\ NeedsDeciding(i, f) /\ ~SameAttempt(i, f) /\ record[f].att = MaxAttempt
  /\ record' = [record EXCEPT ![f].st = "done", ![f].v = @ + 1]
  /\ ends' = [ends EXCEPT ![f] = @ + 1]
  /\ bad' = IF NeverRan(i, f) THEN bad \cup {"wasted"} ELSE bad
  /\ UNCHANGED <<live, pub, latch, leader, cursor, folded, mine, claims, book, started>>

\* The servers apply a request or refuse it, whoever still waits for it, as long as its session lives.
Apply(c) ==
  /\ c.net = "sent" /\ c.own \in live /\ Free
  /\ LET t == c.f[1]
         r == record[c.f]
         fence == Fenced([v |-> c.v, node |-> c.node])
         okDue == /\ fence
                  /\ Out("cursor") \/ (cursor[t].there /\ cursor[t].v = c.cv)
                  /\ Out("exists") \/ r.st = "none"
         okRe  == /\ fence \/ Out("recoveryfence")
                  /\ IF Out("recoveryversion") THEN r.st # "none" ELSE r.st # "none" /\ r.v = c.rv
         new   == [st |-> "claimed", own |-> c.own, att |-> c.att, nonce |-> Nonce(c),
                   v |-> IF c.kind = "due" THEN 1 ELSE r.v + 1]
         applied == {[c EXCEPT !.net = "applied", !.mine = new.v]}
     IN IF (IF c.kind = "due" THEN okDue ELSE okRe)
        THEN /\ record' = [record EXCEPT ![c.f] = new]
             /\ cursor' = IF c.kind = "due"
                          THEN [cursor EXCEPT ![t] = [there |-> TRUE, next |-> c.f[2] + 1, v |-> @.v + 1]] ELSE cursor
             /\ claims' = (claims \ {c}) \cup (IF c.loc = "dead" THEN {} ELSE applied)
             /\ bad' = bad \cup (IF c.term # leader.term THEN {"stale"} ELSE {})
                           \cup (IF c.kind = "retake" /\ r.st = "claimed" /\ r.own # c.own /\ r.own \in live \ hand
                                 THEN {"robbed"} ELSE {})
        ELSE /\ claims' = (claims \ {c}) \cup
                  (IF c.loc = "dead" THEN {} ELSE {[c EXCEPT !.net = IF fence THEN "refused" ELSE "fenced"]})
             /\ UNCHANGED <<record, cursor, bad>>
  /\ UNCHANGED <<live, pub, latch, leader, folded, mine, book, started, ends>>

Move(c, to) == claims' = (claims \ {c}) \cup {to}
\* A claim that stands moves the leader's copy of the cursor. One that was refused though the term stands met a record
\* that was there already (the trigger goes on) or a cursor that is not as it was left (it is read again).
Learned(c, ours) ==
  IF c.kind = "due" /\ term[c.own.i].no = c.term
  THEN [known EXCEPT ![c.own.i][c.f[1]] =
          [next |-> IF ours \/ record[c.f].st # "none" THEN c.f[2] + 1 ELSE c.f[2],
           v |-> IF ours /\ ~Out("cursor") THEN c.cv + 1 ELSE cursor[c.f[1]].v]]
  ELSE known

\* Refused at one of the term's own checks: the term is over.
Reply(c) ==
  /\ c.loc = "waiting" /\ c.net # "sent" /\ c.own = Me(c.own.i) /\ Hears(c.own.i) /\ Free
  /\ IF c.net = "applied" THEN Move(c, [c EXCEPT !.loc = "claimed"]) ELSE claims' = claims \ {c}
  /\ IF c.net = "fenced" /\ term[c.own.i].no = c.term
     THEN term' = [term EXCEPT ![c.own.i] = NoTerm] /\ known' = [known EXCEPT ![c.own.i] = Unknown]
     ELSE known' = Learned(c, c.net = "applied") /\ UNCHANGED term
  /\ UNCHANGED <<zk, up, inc, lease, book, seen>>

\* The connection broke: applied or not, nobody knows.
LoseReply(c) ==
  /\ Costs("reply") /\ c.loc = "waiting" /\ c.own = Me(c.own.i)
  /\ Move(c, [c EXCEPT !.loc = "unknown"])
  /\ UNCHANGED <<zk, mine, book, seen>>

\* Resolved on its own session: the write is sent again there, so the first one is decided before what is read then;
\* ours if the record holds our nonce.
IsOurs(c)  == Out("assume") \/ (record[c.f].st = "claimed" /\ record[c.f].nonce = Nonce(c)
                                /\ (record[c.f].v = c.mine \/ Out("nonce")))
CanAsk(c)  == Hears(c.own.i) /\ (Out("assume") \/ (c.own = Me(c.own.i) /\ (c.net # "sent" \/ Out("session"))))
Resolve(c) ==
  /\ c.loc = "unknown" /\ CanAsk(c) /\ Free
  /\ IF IsOurs(c) THEN Move(c, [c EXCEPT !.loc = "claimed", !.mine = record[c.f].v])
     ELSE IF c.net = "sent" THEN Move(c, [c EXCEPT !.loc = "dead"]) ELSE claims' = claims \ {c}
  /\ known' = Learned(c, IsOurs(c))
  /\ UNCHANGED <<zk, up, inc, lease, term, book, seen>>

\* Given up after a while: then the term is over too. It is looked into further on its session, but will never start.
GiveUp(c) ==
  /\ c.loc = "unknown" /\ c.own = Me(c.own.i) /\ Free
  /\ Move(c, [c EXCEPT !.loc = "givenup"])
  /\ term' = [term EXCEPT ![c.own.i] = IF @.no = c.term THEN NoTerm ELSE @]
  /\ known' = [known EXCEPT ![c.own.i] = IF term[c.own.i].no = c.term THEN Unknown ELSE @]
  /\ UNCHANGED <<zk, up, inc, lease, book, seen>>
FoundLate(c) ==
  /\ c.loc = "givenup" /\ c.own = Me(c.own.i) /\ Hears(c.own.i) /\ c.net # "sent" /\ Free
  /\ IF IsOurs(c) THEN Move(c, [c EXCEPT !.loc = "late", !.mine = record[c.f].v]) ELSE claims' = claims \ {c}
  /\ UNCHANGED <<zk, mine, book, seen>>

(* ------------------------------------------------------ starting, ending *)
\* The last moment before the job: its own term's gate, the lease, and the decision between starting and releasing.
GateOpen(c) == IF Out("gate") THEN Leads(c.own.i) ELSE term[c.own.i].no = c.term
MayStart(c) == up[c.own.i] /\ GateOpen(c) /\ (Out("lease") \/ lease[c.own.i]) /\ c.own = Me(c.own.i)

Elsewhere(c, d) == d.own.i # c.own.i /\ d.own \in pub /\ c.own \in pub
Start(c) ==
  /\ IF Out("steps") THEN c.loc \in {"asked", "releasing"} ELSE c.loc = "claimed" /\ MayStart(c)
  /\ Move(c, [c EXCEPT !.loc = "started"]) /\ Free
  /\ started' = [started EXCEPT ![c.f][c.att] = IF @ < 2 THEN @ + 1 ELSE @]
  /\ bad' = bad
       \cup (IF c.net # "applied" THEN {"unclaimed"} ELSE {})
       \cup (IF ~forced /\ ~Can("record") /\ record[c.f].v # c.mine THEN {"late"} ELSE {})
       \cup (IF \E d \in claims \ {c} : d.f = c.f /\ d.loc = "started" /\ d.own.i = c.own.i THEN {"twicehere"} ELSE {})
       \cup (IF NonConcurrent /\ \E d \in claims : /\ d.f # c.f /\ d.f[1] = c.f[1] /\ d.loc = "started"
                                                   /\ d.own.i = c.own.i \/ Elsewhere(c, d)
             THEN {"overlap"} ELSE {})
  /\ UNCHANGED <<zk, mine, book, ends>>

\* Mutant "steps": the gate is asked first, the start comes later.
Ask(c) ==
  /\ Out("steps") /\ c.loc = "claimed" /\ MayStart(c) /\ Free
  /\ Move(c, [c EXCEPT !.loc = "asked"])
  /\ UNCHANGED <<zk, mine, book, seen>>

\* Known never to have started, or found too late: given back, on its own session, if its record is still this claim's.
Holds(c, unversioned) == record[c.f].st # "none" /\ (unversioned \/ record[c.f].v = c.mine)
Release(c) ==
  /\ c.loc = "late" \/ (c.loc \in {"claimed", "asked"} /\ term[c.own.i].no # c.term)
  /\ c.own = Me(c.own.i) /\ Hears(c.own.i) /\ Free
  /\ IF c.loc = "asked" THEN Move(c, [c EXCEPT !.loc = "releasing"]) ELSE claims' = claims \ {c}
  /\ record' = IF Holds(c, Out("release")) THEN [record EXCEPT ![c.f].st = "released", ![c.f].v = @ + 1] ELSE record
  /\ UNCHANGED <<live, pub, latch, leader, cursor, folded, mine, book, seen>>

\* A run failed and its job asks for another attempt: written as an outcome would be, by whoever ran it, leader or not, on
\* whatever session there is now; but what is written is the next attempt, given back. When it is due is time, left out.
Retry(c) ==
  /\ Can("retry") /\ c.loc = "started" /\ c.att < MaxAttempt /\ Hears(c.own.i) /\ Free
  /\ claims' = claims \ {c}
  /\ record' = IF Holds(c, Out("retry"))
               THEN [record EXCEPT ![c.f].st = "released", ![c.f].att = c.att + 1, ![c.f].v = @ + 1] ELSE record
  /\ UNCHANGED <<live, pub, latch, leader, cursor, folded, mine, book, seen>>

\* Jobs end; their outcomes go in one transaction, on the session that there is now, by whoever ran them, leader or
\* not. If one of the records has changed, each is written by itself.
Complete(i) ==
  /\ Hears(i) /\ Free
  /\ \E group \in SUBSET {c \in claims : c.own.i = i /\ c.loc = "started"} :
       /\ group # {} /\ (Can("record") \/ Cardinality(group) = 1)
       /\ LET good == {c \in group : Holds(c, Out("completion"))
                                     /\ (Out("draining") => Fenced([v |-> c.v, node |-> c.node]))}
              written == {c.f : c \in IF Out("batch") /\ good # group THEN {} ELSE good}
          IN /\ claims' = claims \ group
             /\ record' = [f \in Fire |-> IF f \in written
                                          THEN [record[f] EXCEPT !.st = "done", !.v = @ + 1] ELSE record[f]]
             /\ ends' = [f \in Fire |-> IF f \in written THEN ends[f] + 1 ELSE ends[f]]
  /\ UNCHANGED <<live, pub, latch, leader, cursor, folded, mine, book, started, bad>>

\* The leader moves what is decided into the history and deletes the record.
Fold(i, f) ==
  /\ Can("fold") /\ Leads(i) /\ Hears(i) /\ Fenced(term[i]) /\ Free
  /\ record[f].st = "done"
  /\ record' = [record EXCEPT ![f] = NoRecord] /\ folded' = folded \cup {f}
  /\ UNCHANGED <<live, pub, latch, leader, cursor, mine, claims, book, seen>>

(* ------------------------------------------------------------------ next *)
Fault ==
  \/ \E i \in Inst : Freeze(i) \/ Crash(i)
  \/ \E s \in live : DeleteLatchNode(s) \/ DeleteInstanceNode(s)
  \/ \E t \in Trig : DeleteCursor(t)
  \/ \E f \in Fire : DeleteRecord(f)
  \/ DeleteLeader
  \/ \E c \in claims : LoseReply(c)

\* Some of these cost a fault too, in one of their forms.
Step ==
  \/ \E s \in live : Expire(s)
  \/ Repair
  \/ \E i \in Inst : \/ LoseTerm(i) \/ Notice(i) \/ Connect(i) \/ Publish(i) \/ Rejoin(i) \/ StandBack(i)
                     \/ Heartbeat(i) \/ TakeTerm(i) \/ Complete(i)
                     \/ \E t \in Trig : SendDue(i, t) \/ Replan(i, t)
                     \/ \E f \in Fire : SendRetake(i, f) \/ Abandon(i, f) \/ Fold(i, f)
  \/ \E c \in claims : Apply(c) \/ Reply(c) \/ Resolve(c) \/ GiveUp(c) \/ FoundLate(c) \/ Ask(c) \/ Start(c)
                       \/ Release(c) \/ Retry(c)

Next == Fault \/ Step
Spec == Init /\ [][Next]_vars
\* Every step but a fault makes headway, so it is enough that some step is taken wherever one can be.
Progress == Step /\ faults' = faults
FairSpec == Spec /\ WF_vars(Progress)

Symmetry == Permutations(Inst)

\* Where no operator deletes cursors or records: once all is decided and nothing is in hand, nothing can be claimed any
\* more, so no invariant can change. What follows is not looked at.
Quiet == /\ claims = {} /\ \A t \in Trig : cursor[t].there /\ cursor[t].next > MaxSlot
         /\ \A i \in Inst : \A t \in Trig : Leads(i) => known[i][t].next > MaxSlot
         /\ \A f \in Fire : record[f].st = "done" \/ f \in folded
Unfinished == ~Quiet

(* ------------------------------------------------------------ invariants *)
\* No attempt of a fire is started twice; and no further attempt is made but by recovery.
NoDoubleStart == \A f \in Fire : \A a \in 1..MaxAttempt : started[f][a] <= 1
\* No claim, no run.
NoRunWithoutClaim == "unclaimed" \notin bad
\* A claim starts only while its record is still this claim's, unless an operator ended its session.
NoLateStart == "late" \notin bad
\* Only the latest term can get a claim through.
OneTermCanClaim == "stale" \notin bad
\* Nobody takes a fire from an instance that lives.
NoneRobbed == "robbed" \notin bad
\* A fire has at most one outcome.
OneOutcome == \A f \in Fire : ends[f] <= 1
\* No fire is run again while it still runs in the same process.
NotTwiceHere == "twicehere" \notin bad
\* Jobs that must not overlap do not, except with a run whose session was lost.
NoOverlap == "overlap" \notin bad
\* A fire whose claim was never started, its session alive, is not given up.
NoneWasted == "wasted" \notin bad
\* No cursor passes a slot that has no record (operators' deletions apart).
NoSlotPassed ==
  (Can("cursor") \/ Can("record")) \/
  \A t \in Trig : \A s \in Slot :
    (cursor[t].there /\ s < cursor[t].next) => (record[<<t, s>>].st # "none" \/ <<t, s>> \in folded)
\* A record that a live session holds is in somebody's hand there.
NothingLeftOver ==
  \A f \in Fire : LET r == record[f] IN
    (r.st = "claimed" /\ up[r.own.i] /\ r.own = Me(r.own.i) /\ r.own \in live)
      => \E c \in claims : c.f = f /\ c.own = r.own /\ (c.net = "applied" => c.mine = r.v)

(* -------------------------------------------------------------- liveness *)
IsDecided(f) == record[f].st = "done" \/ f \in folded
EveryFireDecided == \A f \in Fire : <>IsDecided(f)
=============================================================================
